package io.volume4j.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A step. */
@Name("io.volume4j.Step")
@Label("Step")
@Description("A step of a volume or an object, from its call's submission to its end")
@Category("volume4j")
@Enabled(false)
@StackTrace(false)
final class StepEvent extends Event {
    @Label("Operation")
    @Description("The operation's id, which log lines contain too")
    @Nullable
    String operation;

    @Label("Kind")
    @Nullable
    String kind;

    @Label("Key")
    @Description("The volume or the object")
    @Nullable
    String key;

    @Label("Story")
    @Description("The PersistentVolume if there is one, otherwise the key")
    @Nullable
    String story;

    @Label("Attempt")
    int attempt;

    @Label("Failure")
    @Description("Why the step failed, empty if it succeeded")
    @Nullable
    String failure;
}
