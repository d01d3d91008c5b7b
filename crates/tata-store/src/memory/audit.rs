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
}
