package io.volume4j.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A decision. */
@Name("io.volume4j.Plan")
@Label("Plan")
@Description("The planner examines a volume or an object and decides the next steps")
@Category("volume4j")
@Enabled(false)
@StackTrace(false)
final class PlanEvent extends Event {
    @Label("Key")
    @Description("The volume or the object")
    @Nullable
    String key;
}
