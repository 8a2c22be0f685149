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

/** Collects the steps and waits of one plan. Each planning uses a new builder. Not thread-safe. */
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
     * A builder for one of several planners of the same object.
     *
     * @param told the last events about this topic
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

    /** Adds a write, if there is something to write. */
    public PlanBuilder write(String purpose, Optional<ObjectWrite> write) {
        return write(purpose, "", write, true);
    }

    /**
     * Adds a write, if there is something to write. Builds the text of the purpose only then, because usually there
     * is nothing to write.
     *
     * @param name the end of the purpose
     */
    public PlanBuilder write(String purpose, String name, Optional<ObjectWrite> write) {
        return write(purpose, name, write, true);
    }

    /** Adds a write that only reports a state. */
    public PlanBuilder report(String purpose, Optional<ObjectWrite> write) {
        return write(purpose, "", write, false);
    }

    private PlanBuilder write(String purpose, String name, Optional<ObjectWrite> write, boolean gain) {
        if (write.isPresent()) {
            steps.add(new ClusterWork.Write(
                    purpose + name, List.of(write.get()), "", ClusterWork.Kind.WRITE.name(), gain));
        }
        return this;
    }

    /**
     * Adds a write that must be durable before another step. If the controller postpones that step, it postpones the write too.
     *
     * @param retryKey that of the other step
     */
    public PlanBuilder prepare(String purpose, ObjectWrite write, String retryKey) {
        return step(new ClusterWork.Write(purpose, List.of(write), "", retryKey, false));
    }

    public PlanBuilder writes(String purpose, List<ObjectWrite> writes, Enum<?> towards, boolean gain) {
        if (!writes.isEmpty()) {
            steps.add(new ClusterWork.Write(purpose, writes, "", towards.name(), gain));
        }
        return this;
    }

    public PlanBuilder normal(ApiObject object, String reason, String message) {
        return tell(List.of(event(Event.Type.NORMAL, object, reason, message)));
    }

    public PlanBuilder warning(ApiObject object, String reason, String message) {
        return tell(List.of(event(Event.Type.WARNING, object, reason, message)));
    }

    /** Adds an event about a completed change. Each change gets an event. */
    public PlanBuilder change(Event.Type type, ApiObject object, String reason, String message) {
        Event event = event(type, object, reason, message);
        if (!told.isLast(event)) {
            steps.add(new ClusterWork.Tell(about, topic, List.of(event)));
        }
        return this;
    }

    /**
     * Adds events about a state: once when the state begins, and again at the times that {@link LastEvents}
     * determines.
     */
    public PlanBuilder tell(List<Event> events) {
        if (!told.covers(events)) {
            told.heldBackUntil(events)
                    .ifPresentOrElse(
                            time -> lookAgainAt(time, "the latest text is sent later"),
                            () -> steps.add(new ClusterWork.Tell(about, topic, events)));
        }
        return this;
    }

    /** Nothing is left to do now. The controller checks the object again at that loop time, in nanoseconds. */
    public PlanBuilder lookAgainAt(long nanos, String why) {
        waits.add(Wait.routinely(nanos, why));
        return this;
    }

    /** The object waits. The controller checks it again at that loop time, in nanoseconds. */
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

    /**
     * A reference without the revision. So two events about the same object are equal even if the object changed
     * between them.
     */
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
