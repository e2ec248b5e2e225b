//! What git runs later, outside of the sandbox: a command in namespaces cannot change it, and git still works in there.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::{User, command, ways};
use crate::{Isolation, RunEnd, RunOutcome};

/// Makes a repository with a submodule's folder, a hook and attributes; with `linked`, its hooks lie in the workspace.
fn repository(linked: bool) -> String {
    let hooks = if linked { "rm -rf .git/hooks && mkdir scripts && ln -s ../scripts .git/hooks && " } else { "" };
    format!(
        "git init -q . && {hooks}mkdir -p .git/info .git/hooks/ && echo 'exit 0' > .git/hooks/pre-push \
         && echo '*.x text' > .git/info/attributes && git init -q --bare .git/modules/deep/sub && git init -q inner"
    )
}

/// Changes what git runs later.
const ATTACKS: &[&str] = &[
    "echo 'exit 1' > .git/hooks/pre-commit",
    "echo 'exit 1' >> .git/hooks/pre-push",
    "chmod 777 .git/hooks/pre-push",
    "mv .git/hooks .git/old",
    "rm -rf .git/hooks; mkdir -p .git/hooks && touch .git/hooks/pre-commit",
    "ln -sfn /tmp .git/hooks",
    "mv .git old && mkdir .git",
    "cp -r .git copy && rm -rf .git && mv copy .git && touch .git/hooks/new",
    "git config core.fsmonitor ./evil",
    "printf '[core]\\n\\tfsmonitor = ./evil\\n' >> .git/config",
    "printf '[core]\\n\\tfsmonitor = ./evil\\n' > c && mv -f c .git/config",
    "rm -f .git/config; printf '[core]\\n\\tfsmonitor = ./evil\\n' > .git/config",
    "mkdir -p evil/hooks && cp .git/config evil/ && echo ../evil > .git/commondir",
    "echo '* filter=evil' > .git/info/attributes",
    "echo x >> .git/modules/deep/sub/config",
    "touch .git/modules/deep/sub/hooks/pre-commit",
    "mv .git/modules/deep/sub .git/modules/deep/old",
    "git -C inner config core.fsmonitor ./evil",
    "touch inner/.git/hooks/pre-commit",
];

/// What people do.
const WORK: &str = "git config user.name && echo x > file && git add file && git commit -qm one && git checkout -qb other \
                    && echo y >> file && git stash -q && git stash pop -q && git commit -qam two && git checkout -q - \
                    && git merge -q other && git tag v1 && git gc -q && git worktree add -q tree && git log --oneline";

#[tokio::test]
async fn what_git_runs_later_stays_as_it_is() {
    let mut broken = Vec::new();
    for user in User::all() {
        let ways: Vec<_> =
            ways(&user).await.into_iter().filter(|way| *way == Isolation::Namespaces).map(Some).collect();
        for (at, attack) in ATTACKS.iter().enumerate() {
            let ways = ways.iter().copied().chain([None]);
            for (isolation, linked) in ways.flat_map(|way| [(way, false), (way, true)]) {
                let workspace = user.make(&format!("workspace-{at}-{linked}-{isolation:?}").replace(['(', ')'], ""));
                let (made, said) = user.run(&command(&workspace, None, &repository(linked))).await;
                assert_eq!(made, RunOutcome::Ended(RunEnd::Exited(0)), "{said}");
                let before = state(&workspace);

                let (_, said) = user.run(&command(&workspace, isolation, attack)).await;

                // Baseline: without the sandbox it is changed.
                let changed = state(&workspace) != before;
                if changed != isolation.is_none() {
                    broken.push(format!("{attack} as {} in {isolation:?}, linked {linked}: {said}", user.name));
                }
            }
        }
    }

    assert!(broken.is_empty(), "{broken:#?}");
}

#[tokio::test]
async fn git_works_in_a_repository_whose_settings_are_closed() {
    for user in User::all() {
        for isolation in ways(&user).await.into_iter().filter(|way| way.has_namespaces()) {
            let workspace = user.make(&format!("workspace-{isolation:?}"));
            let prepare = "git init -q . && git config user.name a && git config user.email a@b";
            user.run(&command(&workspace, None, prepare)).await;

            let (outcome, said) = user.run(&command(&workspace, Some(isolation), WORK)).await;

            assert_eq!(outcome, RunOutcome::Ended(RunEnd::Exited(0)), "as {} in {isolation:?}: {said}", user.name);
        }
    }
}

/// All that git would run or take settings from, and whether `.git` is still the same folder.
fn state(workspace: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    for git in [".git", ".git/modules/deep/sub", "inner/.git"].map(|git| workspace.join(git)) {
        let inode = git.symlink_metadata().map(|metadata| metadata.ino()).unwrap_or_default();
        found.insert(git.clone(), inode.to_string());
        for name in ["config", "info/attributes", "commondir", "config.worktree"] {
            note(&mut found, git.join(name));
        }
        let hooks = git.join("hooks");
        let link = std::fs::read_link(&hooks).unwrap_or_default();
        found.insert(hooks.clone(), link.display().to_string());
        for hook in std::fs::read_dir(&hooks).into_iter().flatten().flatten() {
            note(&mut found, hook.path());
        }
    }
    found
}

fn note(found: &mut BTreeMap<PathBuf, String>, path: PathBuf) {
    let mode = path.symlink_metadata().map(|metadata| metadata.mode()).unwrap_or_default();
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    found.insert(path, format!("{mode:o} {text}"));
}
