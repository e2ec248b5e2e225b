//! The settings as flags, on the program itself and on the subcommands that use them.

use std::collections::BTreeMap;

use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};

use crate::config::{Kind, ON_OFF, SETTINGS, Setting};

/// Subcommands that take the settings too.
const WITH_SETTINGS: [&str; 1] = ["config"];

/// The command with its flags.
pub(super) fn add(command: Command) -> Command {
    WITH_SETTINGS.iter().fold(command.args(arguments()), |command, name| {
        command.mut_subcommand(name, |subcommand| subcommand.args(arguments()))
    })
}

/// The flags that were given, by key; those behind a subcommand stand over those before it.
pub(super) fn given(matches: &ArgMatches) -> BTreeMap<String, String> {
    let mut flags = of(matches);
    if let Some((name, below)) = matches.subcommand()
        && WITH_SETTINGS.contains(&name)
    {
        flags.extend(of(below));
    }
    flags
}

fn of(matches: &ArgMatches) -> BTreeMap<String, String> {
    let given = |key: &&str| matches.value_source(key) == Some(ValueSource::CommandLine);
    // A flag that may be given several times has a line for each.
    let value = |key: &str| {
        let values: Vec<&str> = matches.get_many::<String>(key)?.map(String::as_str).collect();
        Some((key.to_owned(), values.join("\n")))
    };
    SETTINGS.iter().map(|setting| setting.key).chain(["config"]).filter(given).filter_map(value).collect()
}

fn arguments() -> impl Iterator<Item = Arg> {
    let config = Arg::new("config")
        .long("config")
        .value_name("FILE")
        .value_hint(ValueHint::FilePath)
        .help("The settings file [default: the platform's settings folder]")
        .help_heading("Settings");
    SETTINGS.iter().map(argument).chain([config])
}

fn argument(setting: &'static Setting) -> Arg {
    let help = format!("{} [default: {}]", setting.help, setting.default_words());
    let argument = Arg::new(setting.key).long(setting.key).help(help).help_heading("Settings").hide(setting.hidden);
    match setting.kind {
        Kind::Choice(words) => argument
            .value_name(setting.value_name())
            .value_parser(PossibleValuesParser::new(words))
            .hide_possible_values(true),
        Kind::Switch => argument
            .value_name(setting.value_name())
            .value_parser(PossibleValuesParser::new(ON_OFF))
            .hide_possible_values(true)
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(ON_OFF[0]),
        Kind::List(_) => argument.value_name(setting.value_name()).action(ArgAction::Append),
        Kind::Text("DIR") => argument.value_name("DIR").value_hint(ValueHint::DirPath),
        Kind::Text(name) | Kind::Number(name) => argument.value_name(name),
    }
}
