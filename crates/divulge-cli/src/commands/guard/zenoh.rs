//! The guard's other door: Zenoh, one key for the robot's events, one for what it is told, one for each observer.

use std::{fs::File, io, sync::mpsc::sync_channel, time::Duration};

use divulge_guard::lines::MOST;
use zenoh::{Config, Session, Wait, pubsub::Publisher, qos::CongestionControl};

use super::{door::Doors, input::Said, streams::Stream};
use crate::status::Failure;

/// How often it is looked whether everybody is there.
const LOOK: Duration = Duration::from_millis(10);

/// The last line that a robot is told.
const ENDED: &[u8] = br#"{"ended": true}"#;

/// A key that lines are published under, one line in each message.
struct Key {
    publisher: Publisher<'static>,
    /// Open as long as somebody publishes.
    _session: Session,
}

impl Stream for Key {
    fn send(&mut self, lines: &[u8]) -> io::Result<()> {
        let whole = lines.strip_suffix(b"\n").unwrap_or(lines);
        for line in whole.split(|&byte| byte == b'\n') {
            self.publisher.put(line.to_vec()).wait().map_err(io::Error::other)?;
        }
        // Who hears that the run has ended may leave at once.
        if whole.ends_with(ENDED) {
            return Ok(());
        }
        // Somebody who went away would miss what is said from now on.
        match self.publisher.matching_status().wait().map_err(io::Error::other)?.matching() {
            true => Ok(()),
            false => Err(io::Error::new(io::ErrorKind::BrokenPipe, "nobody listens any more")),
        }
    }
}

/// Opens a session and waits until the robot and every observer without a stream of its own are there: what is published before is lost.
pub fn doors(
    prefix: &str,
    listen: &[String],
    connect: &[String],
    names: &[String],
    own: Vec<Option<File>>,
) -> Result<Doors, Failure> {
    let wrong = |e: zenoh::Error| {
        Failure::new(format!("Zenoh cannot be used: {e}"), "look at --zenoh, --listen and --connect")
    };
    let session = zenoh::open(config(listen, connect).map_err(wrong)?).wait().map_err(wrong)?;
    let (to, said) = sync_channel(64);
    let hear = move |sample: zenoh::sample::Sample| {
        let line = sample.payload().to_bytes().into_owned();
        let _ = to.send(if line.len() > MOST { Said::TooLong } else { Said::Lines(line) });
    };
    session
        .declare_subscriber(format!("{prefix}/events"))
        .callback(hear)
        .background()
        .wait()
        .map_err(wrong)?;
    let key = |name: &str| -> Result<Key, zenoh::Error> {
        let publisher = session.declare_publisher(format!("{prefix}/{name}"));
        let publisher = publisher.congestion_control(CongestionControl::Block).wait()?;
        Ok(Key { publisher, _session: session.clone() })
    };
    let mut keys = vec![key("do").map_err(wrong)?];
    let mut files: Vec<Option<File>> = Vec::new();
    for (name, own) in names.iter().zip(own) {
        if own.is_none() {
            keys.push(key(&format!("to/{name}")).map_err(wrong)?);
        }
        files.push(own);
    }
    for key in &keys {
        while !key.publisher.matching_status().wait().map_err(wrong)?.matching() {
            std::thread::sleep(LOOK);
        }
    }
    let mut keys = keys.into_iter();
    let robot = keys.next().into_iter().map(|key| Box::new(key) as Box<dyn Stream>);
    let mut doors = Doors { streams: robot.collect(), own: Vec::new(), said };
    for own in files {
        doors.own.push(doors.streams.len());
        let stream = match own {
            Some(file) => Some(Box::new(file) as Box<dyn Stream>),
            None => keys.next().map(|key| Box::new(key) as Box<dyn Stream>),
        };
        doors.streams.extend(stream);
    }
    Ok(doors)
}

fn config(listen: &[String], connect: &[String]) -> Result<Config, zenoh::Error> {
    let mut config = Config::default();
    let list = |all: &[String]| serde_json::to_string(all).unwrap_or_default();
    config.insert_json5("mode", "\"peer\"")?;
    // Nobody is looked for: who may take part is said.
    config.insert_json5("scouting/multicast/enabled", "false")?;
    config.insert_json5("listen/endpoints", &list(listen))?;
    config.insert_json5("connect/endpoints", &list(connect))?;
    Ok(config)
}
