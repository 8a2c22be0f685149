package io.volume4j.core.control.binding;

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
final class PlanBuilder {
    private final ObjectKey about;
    private final Told told;
    private final List<BindingStep> steps = new ArrayList<>();
    private final List<Wait> waits = new ArrayList<>();

    PlanBuilder(ObjectKey about, Told told) {
        this.about = about;
        this.told = told;
    }

    PlanBuilder step(BindingStep step) {
        steps.add(step);
        return this;
    }

    /** A write, if there is anything to write. */
    PlanBuilder write(String purpose, Optional<ObjectWrite> write) {
        return writes(purpose, write.stream().toList(), BindingStep.Kind.WRITE, true);
    }

    /** A write that only reports how things are. */
    PlanBuilder report(String purpose, Optional<ObjectWrite> write) {
        return writes(purpose, write.stream().toList(), BindingStep.Kind.WRITE, false);
    }

    /** A write that must be durable before the step of that kind, and is put off with it. */
    PlanBuilder prepare(String purpose, ObjectWrite write, BindingStep.Kind towards) {
        return writes(purpose, List.of(write), towards, false);
    }

    PlanBuilder writes(String purpose, List<ObjectWrite> writes, BindingStep.Kind towards, boolean gain) {
        if (!writes.isEmpty()) {
            steps.add(new BindingStep.Write(purpose, writes, "", towards, gain));
        }
        return this;
    }

    PlanBuilder normal(ApiObject object, String reason, String message) {
        return tell(List.of(event(Event.Type.NORMAL, object, reason, message)));
    }

    PlanBuilder warning(ApiObject object, String reason, String message) {
        return tell(List.of(event(Event.Type.WARNING, object, reason, message)));
    }

    PlanBuilder tell(List<Event> events) {
        if (!told.covers(events)) {
            steps.add(new BindingStep.Tell(about, events));
        }
        return this;
    }

    PlanBuilder waitFor(String wakeOn, String why) {
        waits.add(Wait.on(wakeOn, why));
        return this;
    }

    boolean hasSteps() {
        return !steps.isEmpty();
    }

    Plan<BindingStep> plan() {
        return new Plan<>(steps, waits);
    }

    static Event event(Event.Type type, ApiObject object, String reason, String message) {
        return new Event(type, reason, referenceTo(object), message);
    }

    /** Without the revision: an event about the same thing is the same event, whatever else changed. */
    static ObjectReference referenceTo(ApiObject object) {
        return new ObjectReference(
                object.kind().apiVersion(),
                object.kind().apiName(),
                object.metadata().namespace(),
                object.metadata().name(),
                object.metadata().uid(),
                "");
    }
}
