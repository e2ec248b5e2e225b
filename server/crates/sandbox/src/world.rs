//! What of a command's surroundings can be made before the command is known.

use super::spec::RunSpec;

/// The namespaces that a worker makes in advance; the rest depends on the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum World {
    /// None.
    Outside,
    /// Namespaces with the machine's network.
    Inside,
    /// Namespaces with a network of their own.
    Apart,
}

impl World {
    const ALL: [Self; 3] = [Self::Outside, Self::Inside, Self::Apart];

    /// What this command needs.
    pub(super) fn of(spec: &RunSpec) -> Self {
        match &spec.confinement {
            Some(confinement) if !confinement.isolation.has_namespaces() => Self::Outside,
            Some(confinement) if confinement.network.is_apart() => Self::Apart,
            Some(_) => Self::Inside,
            None => Self::Outside,
        }
    }

    /// The one that this process was told to make, by its second argument.
    ///
    /// # Errors
    /// When it was told none.
    pub(super) fn told() -> Result<Self, String> {
        let argument = std::env::args().nth(2).unwrap_or_default();
        let told = Self::ALL.into_iter().find(|world| world.argument() == argument);
        told.ok_or_else(|| format!("a worker does not know the world \"{argument}\""))
    }

    /// How a process is told.
    pub(super) fn argument(self) -> &'static str {
        match self {
            Self::Outside => "outside",
            Self::Inside => "inside",
            Self::Apart => "apart",
        }
    }

    /// Whether there are namespaces.
    pub(super) fn has_namespaces(self) -> bool {
        self != Self::Outside
    }
}
