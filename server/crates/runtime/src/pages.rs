//! A list that is copied often and changed at one place: clones share its pages, and a change copies one of them.

use std::ops::Index;
use std::sync::Arc;

/// How many items a page has.
const PAGE: usize = 64;

/// The list. A clone costs two reference counts; a change costs a page of items, and of pages their number.
#[derive(Debug)]
pub struct Pages<T> {
    full: Arc<Vec<Arc<Vec<T>>>>,
    last: Arc<Vec<T>>,
    /// How many items of the first page were taken off.
    gone: usize,
}

impl<T> Pages<T> {
    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.full.len() * PAGE + self.last.len() - self.gone
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at this place, from 0.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<&T> {
        let place = place + self.gone;
        match self.full.get(place / PAGE) {
            Some(page) => page.get(place % PAGE),
            None => self.last.get(place - self.full.len() * PAGE),
        }
    }

    /// All items, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        (0..self.len()).map(|place| &self[place])
    }
}

impl<T: Clone> Pages<T> {
    /// The item at this place, to be changed.
    pub fn get_mut(&mut self, place: usize) -> Option<&mut T> {
        let (place, full) = (place + self.gone, self.full.len());
        if place / PAGE < full {
            let page = Arc::make_mut(&mut self.full).get_mut(place / PAGE)?;
            return Arc::make_mut(page).get_mut(place % PAGE);
        }
        Arc::make_mut(&mut self.last).get_mut(place - full * PAGE)
    }

    /// Puts an item at the end.
    pub fn push(&mut self, item: T) {
        if self.last.len() == PAGE {
            let full = std::mem::take(&mut self.last);
            Arc::make_mut(&mut self.full).push(full);
        }
        Arc::make_mut(&mut self.last).push(item);
    }

    /// Takes the first item off, if there is one.
    pub fn drop_first(&mut self) {
        if self.is_empty() {
            return;
        }
        self.gone += 1;
        if self.gone < PAGE {
            return;
        }
        self.gone = 0;
        match self.full.is_empty() {
            true => self.last = Arc::default(),
            false => drop(Arc::make_mut(&mut self.full).remove(0)),
        }
    }
}

impl<T> Index<usize> for Pages<T> {
    type Output = T;

    fn index(&self, place: usize) -> &T {
        let place = place + self.gone;
        match self.full.get(place / PAGE) {
            Some(page) => &page[place % PAGE],
            None => &self.last[place - self.full.len() * PAGE],
        }
    }
}

impl<T> Clone for Pages<T> {
    fn clone(&self) -> Self {
        Self { full: Arc::clone(&self.full), last: Arc::clone(&self.last), gone: self.gone }
    }
}

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Self { full: Arc::default(), last: Arc::default(), gone: 0 }
    }
}

impl<T: PartialEq> PartialEq for Pages<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: Clone> FromIterator<T> for Pages<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut pages = Self::default();
        items.into_iter().for_each(|item| pages.push(item));
        pages
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_list_and_snapshots_do_not_see_what_comes_later(
            steps in proptest::collection::vec((0_u8..6, any::<u16>()), 0..600),
        ) {
            let (mut pages, mut list) = (Pages::default(), VecDeque::new());
            let mut snapshot = (pages.clone(), list.clone());
            for (step, number) in steps {
                let place = usize::from(number) % (list.len() + 1);
                match step {
                    0 => {
                        pages.drop_first();
                        list.pop_front();
                    }
                    1 => prop_assert_eq!(
                        pages.get_mut(place).map(|item| std::mem::replace(item, number)),
                        list.get_mut(place).map(|item| std::mem::replace(item, number))
                    ),
                    2 => snapshot = (pages.clone(), list.clone()),
                    _ => {
                        pages.push(number);
                        list.push_back(number);
                    }
                }
                prop_assert_eq!((pages.len(), pages.get(place)), (list.len(), list.get(place)));
            }
            prop_assert!(pages.iter().eq(list.iter()) && pages.iter().rev().eq(list.iter().rev()));
            prop_assert!(snapshot.0.iter().eq(snapshot.1.iter()));
            prop_assert!(pages.iter().copied().collect::<Pages<_>>() == pages);
        }
    }
}
