//! Label maps: how events look to an observer.

use crate::problem::{
    alphabet::{Alphabet, Label},
    names::Names,
};

/// The interned id of an image: what an observer sees of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Image(pub u32);

impl Image {
    /// Not an image: the event is not noticed at all.
    pub(crate) const UNSEEN: Image = Image(u32::MAX);

    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A label map h, total on the labels of an [`Alphabet`]: each looks like some image, or is not seen at all.
///
/// An action and an observation may share an image. Where every event is seen, that never changes a verdict, because which of the two
/// an event is follows from strict alternation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelMap {
    image_of: Vec<Image>,
    names: Names,
}

impl LabelMap {
    /// Every label is its own image.
    pub fn identity(alphabet: &Alphabet) -> Self {
        Self::from_fn(alphabet, |l| alphabet.name(l).to_owned())
    }

    /// The map that sends each label to the image named by `image`.
    pub fn from_fn<S: AsRef<str>>(alphabet: &Alphabet, mut image: impl FnMut(Label) -> S) -> Self {
        Self::seen_from_fn(alphabet, |label| Some(image(label)))
    }

    /// The map that sends each label to the image named by `image`, or leaves it unseen.
    pub fn seen_from_fn<S: AsRef<str>>(
        alphabet: &Alphabet,
        mut image: impl FnMut(Label) -> Option<S>,
    ) -> Self {
        let mut names = Names::new();
        let mut number = |name: S| Image(names.intern(name.as_ref()).0);
        let image_of = alphabet.labels().map(|l| image(l).map_or(Image::UNSEEN, &mut number)).collect();
        Self { image_of, names }
    }

    /// What an event looks like; `None` if it is not seen at all.
    pub fn image(&self, label: Label) -> Option<Image> {
        Some(self.image_of[label.index()]).filter(|&image| image != Image::UNSEEN)
    }

    /// The name of what an event looks like; `None` if it is not seen at all.
    pub fn look(&self, label: Label) -> Option<&str> {
        self.image(label).map(|image| self.name(image))
    }

    /// How an event is shown to people: the name of what it looks like, or `(unseen)`.
    pub fn shown(&self, label: Label) -> &str {
        self.look(label).unwrap_or("(unseen)")
    }

    /// The images of all labels, in the order of the label ids, or [`Image::UNSEEN`].
    pub(crate) fn images(&self) -> &[Image] {
        &self.image_of
    }

    /// What several observers see together of so many labels: these look alike if they do to everybody, and are unseen if nobody sees them.
    /// Also what each image looks like to each of them, if they see it.
    pub(crate) fn together(labels: usize, maps: &[&LabelMap]) -> (Self, Vec<Box<[Option<Image>]>>) {
        let (mut names, mut looks) = (Names::new(), Vec::<Box<[Option<Image>]>>::new());
        let mut image_of = Vec::with_capacity(labels);
        for label in (0..labels as u32).map(Label) {
            let look: Box<[Option<Image>]> = maps.iter().map(|map| map.image(label)).collect();
            if look.iter().all(Option::is_none) {
                image_of.push(Image::UNSEEN);
                continue;
            }
            let image = looks.iter().position(|known| *known == look).unwrap_or_else(|| {
                names.intern(&format!("{}", looks.len()));
                looks.push(look);
                looks.len() - 1
            });
            image_of.push(Image(image as u32));
        }
        (Self { image_of, names }, looks)
    }

    /// Whether some label is not seen at all.
    pub fn hides(&self) -> bool {
        self.image_of.contains(&Image::UNSEEN)
    }

    /// The labels that are not seen at all, ascending.
    pub fn unseen(&self) -> impl Iterator<Item = Label> + '_ {
        self.preimage(Image::UNSEEN)
    }

    /// Whether the same labels look alike, and the same are unseen, as with another map.
    pub fn sees_like(&self, other: &LabelMap) -> bool {
        let mut there = vec![None; self.len()];
        let mut back = vec![None; other.len()];
        self.image_of.len() == other.image_of.len()
            && self.image_of.iter().zip(&other.image_of).all(|(&a, &b)| match (a, b) {
                (Image::UNSEEN, b) => b == Image::UNSEEN,
                (_, Image::UNSEEN) => false,
                (a, b) => *there[a.index()].get_or_insert(b) == b && *back[b.index()].get_or_insert(a) == a,
            })
    }

    /// An image's name.
    pub fn name(&self, image: Image) -> &str {
        self.names.name(image.0)
    }

    /// The image of that name, if some label has it.
    pub fn get(&self, name: &str) -> Option<Image> {
        self.names.get(name).map(Image)
    }

    /// How many images there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no image, as with an alphabet without labels.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The labels that look like `image`, ascending.
    pub fn preimage(&self, image: Image) -> impl Iterator<Item = Label> + '_ {
        self.image_of.iter().enumerate().filter(move |&(_, &i)| i == image).map(|(l, _)| Label(l as u32))
    }
}

/// What a sought map must respect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapConstraints {
    /// Labels that must look alike, in groups.
    pub merge: Vec<Vec<Label>>,
    /// Labels that must look different, in groups: any two of a group.
    pub separate: Vec<Vec<Label>>,
    /// Labels whose image is given.
    pub fixed: Vec<(Label, String)>,
    /// The largest number of images, those of actions and those of observations counted together.
    pub max_images: Option<usize>,
    /// The smallest number of images, counted alike.
    pub min_images: Option<usize>,
    /// What it costs to merge two labels.
    pub merge_cost: Vec<(Label, Label, u64)>,
    /// Labels that are not seen at all, whatever the map; maps are sought over the others.
    pub unseen: Vec<Label>,
}

impl MapConstraints {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}
