//! Claims about numbers.

use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn roman_numerals_go_there_and_back(number in 1_u64..4000) {
        prop_assert_eq!(from_roman(&roman(number)), Some(number));
    }

    #[test]
    fn factors_multiply_to_the_number(number in 2_u64..1_000_000) {
        prop_assert_eq!(factors(number).iter().product::<u64>(), number);
        prop_assert!(factors(number).into_iter().all(is_prime));
    }

    #[test]
    fn url_encoding_goes_there_and_back(text in "\\PC{0,20}") {
        prop_assert_eq!(url_decoded(&url_encoded(&text)), Some(text));
    }
}
