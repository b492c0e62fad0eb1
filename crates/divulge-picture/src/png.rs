//! SVG to PNG, with fonts of its own: it works where no font is installed.

use resvg::{tiny_skia, usvg};

use crate::layout::Point;

/// Why a picture could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PngError(String);

impl std::fmt::Display for PngError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PngError {}

/// The largest width and height, in pixels.
const LARGEST: f64 = 20_000.0;
/// The most pixels in all: making the picture takes some ten bytes for each.
const MOST_PIXELS: f64 = 64_000_000.0;

/// The scale up to `wanted` at which a picture of so many units can be held as pixels.
pub fn scale_that_fits(size: Point, wanted: f64) -> f64 {
    let (x, y) = (size.x.ceil().max(1.0), size.y.ceil().max(1.0));
    // Pixels are counted in whole numbers.
    let sides = (LARGEST - 1.0) / x.max(y);
    let all = MOST_PIXELS.sqrt() / ((x + 1.0) * (y + 1.0)).sqrt();
    wanted.min(sides).min(all)
}

/// The PNG of an SVG of this crate, `scale` pixels to a unit.
///
/// # Errors
/// If the picture would be too large to be held, or has no size.
pub fn png(svg: &str, scale: f64) -> Result<Vec<u8>, PngError> {
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    for font in
        [notosans::REGULAR_TTF, notosans::BOLD_TTF, notosans::ITALIC_TTF, dejavu::sans_condensed::regular()]
    {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family("Noto Sans");
    let tree = usvg::Tree::from_str(svg, &options)
        .map_err(|e| PngError(format!("the picture cannot be read: {e}")))?;
    let size = Point::new(f64::from(tree.size().width()), f64::from(tree.size().height()));
    let (width, height) = ((size.x * scale).ceil(), (size.y * scale).ceil());
    if !(scale > 0.0 && scale <= scale_that_fits(size, f64::INFINITY)) {
        return Err(PngError(format!("a picture of {width:.0} by {height:.0} pixels cannot be made")));
    }
    let mut pixels = tiny_skia::Pixmap::new(width as u32, height as u32)
        .ok_or_else(|| PngError("there is no room for the picture".to_owned()))?;
    let scale = scale as f32;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| PngError(format!("the picture cannot be written: {e}")))
}
