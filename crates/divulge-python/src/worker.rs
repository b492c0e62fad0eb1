//! Who is at work on a store, for sweeps that share one.

use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use pyo3::prelude::*;

/// Somebody at work on a store, until it ends or its process does.
#[pyclass(frozen)]
pub struct Worker(Mutex<Option<divulge_host::Worker>>);

impl Worker {
    fn take(&self) -> Option<divulge_host::Worker> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[pymethods]
impl Worker {
    #[new]
    fn new(store: PathBuf) -> PyResult<Self> {
        Ok(Self(Mutex::new(divulge_host::Worker::begin(&store)?)))
    }

    /// What it is called in the store; `None` where nobody can be told to be alive, or after the end.
    #[getter]
    fn name(&self) -> Option<String> {
        let worker = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        worker.as_ref().map(|worker| worker.name().to_owned())
    }

    fn end(&self) {
        drop(self.take());
    }

    /// For a process that was forked: it is not the one at work.
    fn forget(&self) {
        if let Some(worker) = self.take() {
            worker.forget();
        }
    }
}

/// Whether somebody of this name is at work on a store.
#[pyfunction]
pub fn is_alive(store: PathBuf, name: &str) -> bool {
    divulge_host::is_alive(&store, name)
}
