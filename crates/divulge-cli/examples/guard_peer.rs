//! A robot or an observer that speaks to `divulge guard --zenoh` from a process of its own.
//!
//! `guard_peer robot PREFIX ENDPOINT ann` does as it is told in `examples/observers/hospital.divulge`, for the patient named;
//! `guard_peer observer PREFIX ENDPOINT NAME` prints what the observer is shown, until the guard has gone for a while.

use std::{sync::mpsc::channel, time::Duration};

use zenoh::{Config, Wait, qos::CongestionControl};

/// An observer who was shown nothing for so long goes home.
const PATIENCE: Duration = Duration::from_secs(3);

fn main() -> Result<(), zenoh::Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [role, prefix, endpoint, who] = &arguments[..] else {
        eprintln!("usage: guard_peer robot|observer PREFIX ENDPOINT NAME");
        std::process::exit(2);
    };
    let mut config = Config::default();
    config.insert_json5("mode", "\"client\"")?;
    config.insert_json5("scouting/multicast/enabled", "false")?;
    config.insert_json5("connect/endpoints", &format!("[\"{endpoint}\"]"))?;
    config.insert_json5("connect/timeout_ms", "10000")?;
    let session = zenoh::open(config).wait()?;
    let (to, said) = channel();
    let key = if role == "robot" { format!("{prefix}/do") } else { format!("{prefix}/to/{who}") };
    let events = session.declare_publisher(format!("{prefix}/events"));
    let events = events.congestion_control(CongestionControl::Block).wait()?;
    let hear = move |sample: zenoh::sample::Sample| {
        let _ = to.send(String::from_utf8_lossy(&sample.payload().to_bytes()).into_owned());
    };
    session.declare_subscriber(key).callback(hear).background().wait()?;
    if role == "observer" {
        // The first image may take as long as the others take to arrive.
        let mut patience = 10 * PATIENCE;
        while let Ok(line) = said.recv_timeout(patience) {
            println!("{line}");
            patience = PATIENCE;
        }
        return Ok(());
    }
    while let Ok(line) = said.recv_timeout(10 * PATIENCE) {
        let line: serde_json::Value = serde_json::from_str(&line)?;
        let say = |event: &str| events.put(format!("{{\"event\": \"{event}\"}}")).wait();
        if line.get("guard").is_some() {
            // The patient is told first.
            say(who)?;
        } else if let Some(list) = line.get("do").and_then(|list| list.as_array()) {
            match list.first().and_then(|action| action.as_str()) {
                Some(action) => {
                    say(action)?;
                    say("quiet")?;
                }
                None => events.put("{\"end\": true}").wait()?,
            }
        } else if line.get("ended").is_some() {
            return Ok(());
        } else if line.get("held").is_some() {
            eprintln!("{line}");
            std::process::exit(1);
        }
    }
    Err("the guard says nothing".into())
}
