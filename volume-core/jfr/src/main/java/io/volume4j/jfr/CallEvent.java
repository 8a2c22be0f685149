package io.volume4j.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A call. */
@Name("io.volume4j.Call")
@Label("Call")
@Description("The call of a step to a plugin, on its worker thread")
@Category("volume4j")
@Enabled(false)
@StackTrace(false)
final class CallEvent extends Event {
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
}
