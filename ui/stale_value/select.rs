//! The arms of `select!` are code like any other: values from before the `.await` are old in them.
#![allow(dead_code)]

use tokio::sync::{Mutex, RwLock, mpsc};

struct Meter {
    total: Mutex<u64>,
    peak: RwLock<u64>,
}

impl Meter {
    async fn run_bad(&self, mut ticks: mpsc::Receiver<u64>, mut stop: mpsc::Receiver<()>) {
        loop {
            let total = *self.total.lock().await;
            tokio::select! {
                Some(tick) = ticks.recv() => {
                    *self.total.lock().await = total + tick; //~ stale_value
                }
                _ = stop.recv() => return,
            }
        }
    }

    async fn run_ok(&self, mut ticks: mpsc::Receiver<u64>, mut stop: mpsc::Receiver<()>) {
        loop {
            tokio::select! {
                Some(tick) = ticks.recv() => *self.total.lock().await += tick,
                _ = stop.recv() => return,
            }
        }
    }

    /// The look is made in the future of one arm.
    async fn peak_bad(&self, mut stop: mpsc::Receiver<()>) {
        let peak = tokio::select! {
            peak = self.peak.read() => *peak,
            _ = stop.recv() => return,
        };
        *self.peak.write().await = peak + 1; //~ stale_value
    }

    async fn peak_ok(&self, mut stop: mpsc::Receiver<()>) {
        tokio::select! {
            mut peak = self.peak.write() => *peak += 1,
            _ = stop.recv() => {}
        }
    }

    // Guards that come out of `join!` are not followed.
    async fn fn_joined(&self) {
        let (total, peak) = tokio::join!(self.total.lock(), self.peak.read());
        let mean = (*total + *peak) / 2;
        drop((total, peak));
        *self.total.lock().await = mean;
    }
}
