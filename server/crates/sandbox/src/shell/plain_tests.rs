//! What is understood in full, and what is not understood at all.

use super::*;

#[track_caller]
fn check(line: &str, expected: &[&str]) {
    let commands = plain_commands(line).unwrap_or_else(|| panic!("{line} is not understood"));
    let texts: Vec<String> = commands.iter().map(|command| command.words.join(" ").replace(UNKNOWN, "?")).collect();
    assert_eq!(texts, expected, "{line}");
}

#[test]
fn every_command_of_a_line_is_found() {
    check("git status", &["git status"]);
    check("a 1; b && c || d | e & f\ng # rest", &["a 1", "b", "c", "d", "e", "f", "g"]);
    check("(cd x; ls) && { a; b; }", &["cd x", "ls", "a", "b"]);
    check("if a; then b; elif c; then d; else e; fi", &["a", "b", "c", "d", "e"]);
    check("for f in *.rs; do cat $f; done", &["cat ?"]);
    check("while ! a; do b; done", &["a", "b"]);
    check("a 'b c' \"d $e\" f\\ g", &["a b c d ? f g"]);
    check("a 2>&1 >/dev/null <in <<<word", &["a"]);
    check("ls a \\\n  b", &["ls a b"]);
    check("git show stash@{0} HEAD~1..HEAD a,b {}", &["git show stash@{0} HEAD~1..HEAD a,b {}"]);
}

#[test]
fn commands_inside_commands_are_found() {
    check("echo $(rm x) `rm y`", &["rm x", "rm y", "echo ? ?"]);
    check("echo \"$(rm x)\"", &["rm x", "echo ?"]);
    check("diff <(rm x) <(rm y)", &["rm x", "rm y", "diff ? ?"]);
    check("bash -c 'rm x; ls'", &["rm x", "ls"]);
    check("sh -c \"bash -c 'rm x'\"", &["rm x"]);
    check("find . -name '*.o' -exec rm {} \\;", &["rm ? ?", "find . -name *.o -exec rm {} ;"]);
    check("ls | xargs -n 1 rm -f", &["ls", "rm -f ?"]);
    check("timeout -k 5 10 nice -n 5 nohup rm x", &["rm x"]);
    check("env ls", &["ls"]);
}

#[test]
fn what_sets_variables_or_writes_files_says_so() {
    let found = plain_commands("PATH=. git status; env A=1 ls; echo a > b; B=2; bash -c 'ls' > c").expect("understood");
    let said: Vec<(&str, bool, usize)> =
        found.iter().map(|c| (c.words.first().map_or("", String::as_str), c.assigns, c.writes_to.len())).collect();
    assert_eq!(
        said,
        [("git", true, 0), ("ls", true, 0), ("echo", false, 1), ("", true, 0), ("", false, 1), ("ls", false, 0)]
    );
}

#[test]
fn what_is_not_certain_is_not_understood() {
    for line in [
        "$cmd x",
        "$(echo rm) x",
        "eval \"rm x\"",
        "$'\\x72m' x",
        "echo ${x:-$(rm y)}",
        "echo $((a[$(rm x)]))",
        "f() { rm x; }; f",
        "case x in x) rm y;; esac",
        "cat <<END\n$(rm x)\nEND",
        "cat <<'END'\n$(rm x)\nEND\nls",
        "cat <<-END\n\tx\n\tEND",
        "cat 3<<END\nEND",
        "echo `echo \\`rm x\\``",
        "echo \"`rm x`\"",
        "echo \"$\\\n(rm x)\"",
        "echo $\\\n(rm x)",
        "ec\\\nho x",
        "echo x &\\\n> y",
        "mkdir {a,b}",
        "echo {1..3}",
        "echo >&1-2",
        "echo a\u{a0}b",
        "'git status' x",
        "timeout {5,rm} ls",
        "timeout $x ls",
        "timeout -k * ls",
        "xargs -rI ls rm",
        "\\time -ao ls rm",
        "xargs --arg-file ls rm",
        "bash -c -x 'rm x'",
        "printf -v 'a[$(rm x)]' y",
        "echo 'unfinished",
        "echo \"unfinished",
        "echo $(unfinished",
        "echo `unfinished",
        "echo >",
        "echo \\",
        "a=(1 2)",
        "env -S 'rm x' ls",
        "env -i ls",
        "exec -a x ls",
        "bash",
        "bash -lc 'rm x'",
        "/bin/bash -c \"$X\"",
        "bash -s < x",
        "find . $X",
        "trap 'rm x' EXIT",
        "r? x",
        "{rm,x}",
        "coproc rm x",
        "echo a\u{7}",
        "echo a\rrm x",
        "echo a ;; rm",
        "ls)",
        "(ls",
        "for PATH in .; do ls; done",
    ] {
        assert_eq!(plain_commands(line), None, "{line}");
    }
    let deep = (0..20).fold("ls".to_owned(), |script, _| format!("echo $({script})"));
    assert_eq!(plain_commands(&deep), None);
}
