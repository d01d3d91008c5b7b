//! Who did what.

use tata_core::{Audit, AuditEntry, NewAudit, StoreFuture};

use super::MemoryStore;

impl Audit for MemoryStore {
    fn record_audit(&self, new: NewAudit) -> StoreFuture<'_, AuditEntry> {
        Box::pin(async move { Ok(self.state().record(new)) })
    }

    fn audit_trail(&self) -> StoreFuture<'_, Vec<AuditEntry>> {
        Box::pin(async move { Ok(self.state().audit.clone()) })
    }

    fn audit_of(&self, tenant: String, most: u32) -> StoreFuture<'_, Vec<AuditEntry>> {
        Box::pin(async move {
            // There are no entries from before there was the column: nothing outlives this program.
            let state = self.state();
            let own = state.audit.iter().rev().filter(|entry| entry.tenant.as_ref() == Some(&tenant));
            Ok(own.take(most as usize).cloned().collect())
        })
    }
}
