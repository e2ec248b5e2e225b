//! Files that shells, editors and git run or obey without being asked: whoever writes one has a command run later, outside
//! of the sandbox. Changing one always asks.

/// Folders, and files inside of which nothing else lies.
const PLACES: [&str; 19] = [
    ".git",
    ".githooks",
    ".husky",
    ".gitconfig",
    ".config/git",
    ".ssh",
    ".config/fish",
    ".zsh",
    ".oh-my-zsh",
    ".bash_completion.d",
    ".vim",
    ".config/nvim",
    ".emacs.d",
    ".config/emacs",
    ".config/helix",
    ".config/zed",
    ".vscode",
    ".idea",
    ".devcontainer",
];

/// Names of files, at any depth.
const NAMES: [&str; 33] = [
    ".profile",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".bash_completion",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".mkshrc",
    ".shrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".logout",
    ".inputrc",
    ".envrc",
    ".xprofile",
    ".xinitrc",
    ".vimrc",
    ".gvimrc",
    ".exrc",
    ".nvimrc",
    ".nvim.lua",
    ".ideavimrc",
    ".emacs",
    ".dir-locals.el",
    ".gdbinit",
    ".lldbinit",
];

/// Whether the file at this path is one. Case does not matter, as on some file systems it makes no difference.
pub(crate) fn is_start_file(path: &str) -> bool {
    let path = path.to_lowercase();
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let name = parts.last().copied().unwrap_or_default();
    let is_place = |place: &str| {
        let place: Vec<&str> = place.split('/').collect();
        parts.windows(place.len()).any(|here| here == place)
    };
    NAMES.contains(&name) || PLACES.iter().any(|place| is_place(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shells_editors_and_git_obey_is_one() {
        for path in [
            ".git/hooks/pre-commit",
            ".git/config",
            "./.GIT/Hooks/post-checkout",
            "sub/module/.git",
            ".husky/pre-push",
            ".bashrc",
            "home/.zshrc",
            ".config/fish/config.fish",
            ".vscode/tasks.json",
            ".vimrc",
            "/home/somebody/.profile",
        ] {
            assert!(is_start_file(path), "{path}");
        }
    }

    #[test]
    fn other_files_are_none() {
        for path in [
            ".gitignore",
            ".github/workflows/ci.yml",
            "src/git/hooks/mod.rs",
            "docs/bashrc.md",
            ".config/app.toml",
            "fish/config.fish",
            "profile",
            ".env",
        ] {
            assert!(!is_start_file(path), "{path}");
        }
    }
}
