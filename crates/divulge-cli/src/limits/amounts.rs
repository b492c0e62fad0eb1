//! Limits as they are written.

use std::time::Duration;

/// Reads a time limit in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a number of seconds, such as 10 or 0.5");
    let seconds: f64 = text.trim().parse().map_err(|_| wrong())?;
    if seconds < 0.0 {
        return Err("a time limit cannot be negative; give a number of seconds, such as 10 or 0.5".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// Reads an amount of memory such as `512M`, `2GiB` or `1000000`; K, M, G and T are powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not an amount of memory, such as 512M or 2G");
    let lower = text.trim().to_ascii_lowercase();
    let unit_at = lower.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(lower.len());
    let (number, unit) = lower.split_at(unit_at);
    let power = match unit.trim() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return Err(wrong()),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    Ok((number * 1024f64.powi(power)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_seconds() {
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("1.5 GiB"), Ok(3 << 29));
        assert_eq!(size("1000"), Ok(1000));
        assert!(size("many").is_err() && size("").is_err() && size("-1").is_err() && size("1X").is_err());
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert!(seconds("-1").is_err() && seconds("NaN").is_err() && seconds("soon").is_err());
    }
}
