//! Names and skins as they are let in.

use unicode_segmentation::UnicodeSegmentation;

/// Longest name, in what people take for characters.
const GRAPHEMES_MAX: usize = 16;

/// Longest name, bytes: an emoji of a family has 25, a stack of accents has no end.
const BYTES_MAX: usize = 64;

/// The name of who gives none.
pub const NAMELESS: &str = "nameless";

/// The name that others see: no characters that are invisible or turn the line around, white space folded
/// to single spaces, at most 16 graphemes and 64 bytes. Nothing left: [`NAMELESS`].
pub fn clean_name(wish: &str) -> String {
    let visible: String =
        wish.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|&c| is_visible(c)).collect();
    let folded = visible.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let mut name = String::new();
    for grapheme in folded.graphemes(true).take(GRAPHEMES_MAX) {
        if name.len() + grapheme.len() > BYTES_MAX {
            break;
        }
        name.push_str(grapheme);
    }
    let name = name.trim();
    if name.is_empty() || !name.chars().any(has_ink) { NAMELESS.to_owned() } else { name.to_owned() }
}

/// Neither control characters, nor marks of direction, nor letters without width, nor the other blanks
/// that names are faked with.
fn is_visible(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}' | '\u{E000}'..='\u{F8FF}')
}

/// Whether a character shows by itself; a combining mark or a variation selector does not.
fn has_ink(c: char) -> bool {
    !matches!(c, ' ' | '\u{0300}'..='\u{036F}' | '\u{FE00}'..='\u{FE0F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_name_stays_as_it_is() {
        for name in ["Ada", "İstanbul", "蛇の道", "Zoë 2", "🐍🐍"] {
            assert_eq!(clean_name(name), name);
        }
    }

    #[test]
    fn an_empty_or_invisible_name_gets_the_default() {
        for name in ["", "   ", "\u{200B}\u{200D}", "\u{202E}", "\0\n\t", "\u{2800}", "\u{0301}", "\u{FE0F}"] {
            assert_eq!(clean_name(name), NAMELESS, "{name:?}");
        }
    }

    #[test]
    fn what_turns_the_line_around_is_taken_out() {
        assert_eq!(clean_name("ab\u{202E}cd\u{2066}\u{200F}e"), "abcde");
    }

    #[test]
    fn white_space_is_folded() {
        assert_eq!(clean_name("  a \n\t b\u{3000}c  "), "a b c");
    }

    #[test]
    fn a_long_name_is_cut_between_graphemes() {
        assert_eq!(clean_name(&"e\u{0301}".repeat(30)), "e\u{0301}".repeat(16));
        assert_eq!(clean_name(&format!("{} x", "a".repeat(15))), "a".repeat(15));
        let stacked = format!("a{}", "\u{0301}".repeat(500));
        assert_eq!(clean_name(&stacked), NAMELESS);
        assert!(clean_name(&"👨\u{200D}👩\u{200D}👧".repeat(20)).len() <= BYTES_MAX);
    }
}
