package io.volume4j.core.control.host;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Wait;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Gathers a plan; lives for one planning. */
public final class PlanBuilder {
    private final ObjectKey about;
    private final LastEvents told;
    private final String topic;
    private final List<ClusterStep> steps = new ArrayList<>();
    private final List<Wait> waits = new ArrayList<>();

    public PlanBuilder(ObjectKey about, LastEvents told) {
        this(about, told, "");
    }

    /**
     * A plan of one of several planners for the same object.
     *
     * @param told what was told about this topic
     */
    public PlanBuilder(ObjectKey about, LastEvents told, String topic) {
        this.about = about;
        this.told = told;
        this.topic = topic;
    }

    public PlanBuilder step(ClusterStep step) {
        steps.add(step);
        return this;
    }

    /** A write, if there is anything to write. */
    public PlanBuilder write(String purpose, Optional<ObjectWrite> write) {
        return write(purpose, "", write, true);
    }

    /**
     * The same, put into words only if there is anything to write: nearly always there is not.
     *
     * @param name what the purpose ends with
     */
    public PlanBuilder write(String purpose, String name, Optional<ObjectWrite> write) {
        return write(purpose, name, write, true);
    }

    /** A write that only reports how things are. */
    public PlanBuilder report(String purpose, Optional<ObjectWrite> write) {
        return write(purpose, "", write, false);
    }

    private PlanBuilder write(String purpose, String name, Optional<ObjectWrite> write, boolean gain) {
        if (write.isPresent()) {
            steps.add(new ClusterWork.Write(purpose + name, List.of(write.get()), "", ClusterWork.Kind.WRITE, gain));
        }
        return this;
    }

    /** A write that must be durable before the step of that kind, and is put off with it. */
    public PlanBuilder prepare(String purpose, ObjectWrite write, Enum<?> towards) {
        return writes(purpose, List.of(write), towards, false);
    }

    public PlanBuilder writes(String purpose, List<ObjectWrite> writes, Enum<?> towards, boolean gain) {
        if (!writes.isEmpty()) {
            steps.add(new ClusterWork.Write(purpose, writes, "", towards, gain));
        }
        return this;
    }

    public PlanBuilder normal(ApiObject object, String reason, String message) {
        return tell(List.of(event(Event.Type.NORMAL, object, reason, message)));
    }

    public PlanBuilder warning(ApiObject object, String reason, String message) {
        return tell(List.of(event(Event.Type.WARNING, object, reason, message)));
    }

    /** Tells of a change for good, each time that it happens. */
    public PlanBuilder change(Event.Type type, ApiObject object, String reason, String message) {
        Event event = event(type, object, reason, message);
        if (!told.isLast(event)) {
            steps.add(new ClusterWork.Tell(about, topic, List.of(event)));
        }
        return this;
    }

    /** Tells of a state: when it begins, and again as {@link LastEvents} says. */
    public PlanBuilder tell(List<Event> events) {
        if (!told.covers(events)) {
            told.heldBackUntil(events)
                    .ifPresentOrElse(
                            time -> lookAgainAt(time, "the latest text is sent later"),
                            () -> steps.add(new ClusterWork.Tell(about, topic, events)));
        }
        return this;
    }

    /** All is done; it is looked at again at that loop time. */
    public PlanBuilder lookAgainAt(long nanos, String why) {
        waits.add(Wait.routinely(nanos, why));
        return this;
    }

    /** To be looked at again at that loop time. */
    public PlanBuilder waitUntil(long nanos, String why) {
        waits.add(Wait.until(nanos, why));
        return this;
    }

    public PlanBuilder waitFor(String wakeOn, String why) {
        waits.add(Wait.on(wakeOn, why));
        return this;
    }

    public boolean hasSteps() {
        return !steps.isEmpty();
    }

    public Plan<ClusterStep> plan() {
        return new Plan<>(steps, waits);
    }

    public static Event event(Event.Type type, ApiObject object, String reason, String message) {
        return new Event(type, reason, referenceTo(object), message);
    }

    /** Without the revision: an event about the same thing is the same event, whatever else changed. */
    public static ObjectReference referenceTo(ApiObject object) {
        return new ObjectReference(
                object.apiVersion(),
                object.kind().apiName(),
                object.metadata().namespace(),
                object.metadata().name(),
                object.metadata().uid(),
                "");
    }
}
