package io.volume4j.examples.csilifecycle;

/** The moment at which a driver is killed. The call is repeated each time, and must have the same result. */
enum Moment {
    BEFORE("before the call", "killed before the call: "),
    DURING("while it works on the call", "killed during the call, which is repeated: "),
    AFTER("after its answer", "killed after the answer, and asked again: ");

    private final String text;
    private final String rule;

    Moment(String text, String rule) {
        this.text = text;
        this.rule = rule;
    }

    /** Prefix of the ids of its cases. */
    String id() {
        return switch (this) {
            case BEFORE -> "kill-before";
            case DURING -> "kill-during";
            case AFTER -> "kill-after";
        };
    }

    String text() {
        return text;
    }

    /** The rule of a case. */
    String rule(String of) {
        return rule + of;
    }
}
