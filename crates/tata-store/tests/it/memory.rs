//! The contract, in memory.

use std::sync::Arc;

use tata_core::Store;
use tata_store::MemoryStore;

async fn in_memory(case: impl AsyncFnOnce(Arc<dyn Store>)) {
    case(Arc::new(MemoryStore::new())).await;
}

tata_testkit::store_contract!(super::in_memory);
