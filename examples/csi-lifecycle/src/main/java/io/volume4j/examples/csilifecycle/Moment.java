package io.volume4j.examples.csilifecycle;

/** When a driver is killed: the call is made again each time, and must come to the same. */
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

    /** What the cases of it begin with. */
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

    /** What a driver must do for a case to pass. */
    String rule(String of) {
        return rule + of;
    }
}
