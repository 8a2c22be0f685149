package io.volume4j.core.control.snapshot;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.OneLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Creates the snapshots of contents at the backend without leaks, even if the process dies or a user deletes objects at any moment:
 *
 * <ol>
 *   <li>the controller writes the intent to the content, with the annotation that other sidecars know,
 *   <li>the plugin gets the content and the intent, with a name that makes the call idempotent,
 *   <li>the controller stores the backend's answer in the status, and removes the annotation,
 *   <li>the controller asks the backend, with growing pauses, until the snapshot is ready, and removes the intent.
 * </ol>
 *
 * <p>If a user deletes the content meanwhile, the object stays until it is certain what the backend has. {@link ContentEnd} plans
 * the rest.
 */
public final class ContentPlanner {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    private ContentPlanner() {}

    public static Plan<ClusterStep> plan(ContentView view) {
        PlanBuilder plan = new PlanBuilder(view.key(), view.told(), SnapshotPlanner.TOPIC);
        ContentFacts content = view.content();
        if (content.deleting() && !kept(view)) {
            ContentEnd.plan(view, plan);
        } else if (ContentEnd.cameLate(view)) {
            ContentEnd.begin(view, plan);
        } else if (!content.object()
                .metadata()
                .finalizers()
                .contains(content.words().keepsContent())) {
            plan.report(
                    "keep " + view.key(),
                    SnapshotWrites.withFinalizer(
                            content.object(), content.words().keepsContent()));
        } else if (!view.here()) {
            if (!content.ready()) {
                String why = "no plugin of this process makes snapshots of driver " + OneLine.name(content.driver());
                plan.waitFor("plugins", why);
            }
        } else if (content.handle().isEmpty()) {
            cut(view, plan);
        } else if (!content.ready()) {
            watch(view, plan);
        } else {
            plan.report("close the making of " + view.key(), SnapshotWrites.closed(content, false));
        }
        return plan.plan();
    }

    /**
     * Whether a user deleted only the content, and it stays for its snapshot. The snapshot is not deleted, so the controller must
     * still complete it.
     */
    private static boolean kept(ContentView view) {
        ContentFacts content = view.content();
        return view.snapshot().found()
                && !view.snapshot().get().object().metadata().deleting()
                && !content.annotated(content.words().beingDeleted())
                && content.object()
                        .metadata()
                        .finalizers()
                        .contains(content.words().keepsContent())
                && !content.ready();
    }

    // Creation.

    static void cut(ContentView view, PlanBuilder plan) {
        @Nullable SnapshotResult seen = view.memory().seen();
        if (view.content().ofGroup() && view.intent() == null) {
            plan.waitFor(
                    "its group",
                    "what it stands for was cut with a group, whose controller is to write what the backend calls it");
            return;
        }
        if (!mayAct(view, plan)) {
            return;
        }
        if (seen != null) {
            store(view, seen, plan);
        } else if (!intended(view, plan)) {
            return;
        } else if (view.memory().hopeless() && !view.doubt()) {
            failed(view, plan);
            plan.report("drop the intent to create " + view.key(), SnapshotWrites.closed(view.content(), false));
        } else {
            failed(view, plan);
            callCut(view, plan);
        }
    }

    /** This process must not continue an intent that is not readable, or that belongs to a newer leader. */
    private static boolean mayAct(ContentView view, PlanBuilder plan) {
        if (!view.intentError().isEmpty()) {
            String why = "annotation " + SnapshotIntent.ANNOTATION + " cannot be read (" + view.intentError()
                    + "), so a snapshot without an object may exist; look for "
                    + view.content()
                            .words()
                            .backendName(view.content().wantedBy().uid())
                    + " at the backend, then remove the annotation";
            plan.warning(view.content().object(), SnapshotReason.CREATION_FAILED, why)
                    .waitFor("the content", why);
            return false;
        }
        if (view.leftUntil().isPresent()) {
            plan.waitUntil(view.leftUntil().getAsLong(), "a newer leader is cutting the snapshot");
            return false;
        }
        return true;
    }

    /** Whether this process holds the intent. If not, the method plans the write of the intent. */
    private static boolean intended(ContentView view, PlanBuilder plan) {
        ContentFacts content = view.content();
        @Nullable SnapshotIntent intent = view.intent();
        if (intent != null && view.held()) {
            return true;
        }
        if (intent == null && content.handle().isEmpty() && !wanted(view, plan)) {
            return false;
        }
        if (intent != null) {
            plan.prepare(
                    "take over the making of " + view.key(),
                    SnapshotWrites.intend(content, intent.takenOver(view.self())),
                    SnapshotStep.Kind.CREATE_SNAPSHOT.name());
            return false;
        }
        if (view.type().state() == Lookup.State.UNKNOWN) {
            plan.waitFor("classes", "the snapshot classes of the cluster are not known completely");
            return false;
        }
        if (!content.className().isEmpty() && !view.type().found()) {
            refuse(
                    view,
                    content.words().type().apiName() + " " + OneLine.quoted(content.className()) + " does not exist",
                    plan);
            return false;
        }
        try {
            SnapshotIntent wanted = newIntent(view);
            failed(view, plan);
            SnapshotMemory.@Nullable Refusal refused = view.memory().refused();
            if (refused != null
                    && refused.parameters().equals(wanted.parameters())
                    && view.nanos() - refused.until() < 0) {
                plan.waitUntil(
                        refused.until(), "the backend refused the snapshot and is asked again later: " + refused.why());
                return false;
            }
            plan.prepare(
                    "intend to create " + view.key(),
                    SnapshotWrites.intend(content, wanted),
                    SnapshotStep.Kind.CREATE_SNAPSHOT.name());
        } catch (IllegalArgumentException notValid) {
            refuse(view, "the parameters of the class are not valid: " + notValid.getMessage(), plan);
        }
        return false;
    }

    /** Whether a snapshot needs it. If the snapshot may exist already, the controller repeats the call to find it. */
    private static boolean wanted(ContentView view, PlanBuilder plan) {
        if (view.content().wantedBy().uid().isEmpty()) {
            refuse(view, "the content names no snapshot by its UID, so that what is to be created has no name", plan);
            return false;
        }
        boolean live = view.snapshot().found()
                && !view.snapshot().get().object().metadata().deleting();
        if (live || view.content().annotated(view.content().words().beingCreated())) {
            return true;
        }
        plan.waitFor("its snapshot", "nothing is created for a snapshot that is not there or is being deleted");
        return false;
    }

    private static SnapshotIntent newIntent(ContentView view) {
        ContentFacts content = view.content();
        Map<String, String> parameters = new LinkedHashMap<>();
        if (view.type().found()) {
            parameters.putAll(filled(view));
        }
        parameters.putAll(view.more());
        // A program that knows only the standard annotation may have made the call already.
        boolean inherited = content.annotated(content.words().beingCreated());
        return new SnapshotIntent(
                view.self().epoch(),
                view.self().process(),
                inherited,
                content.words().backendName(content.wantedBy().uid()),
                parameters);
    }

    private static void callCut(ContentView view, PlanBuilder plan) {
        ContentFacts content = view.content();
        SnapshotIntent intent = Objects.requireNonNull(view.intent(), "nothing is created without it");
        plan.step(new SnapshotStep.CreateSnapshot(
                content.key(),
                content.uid(),
                intent.epoch(),
                content.driver(),
                intent.name(),
                content.volumes(),
                intent.parameters(),
                content.handle()));
    }

    /** The status comes first: the handle may be missing only while the annotation is there. */
    private static void store(ContentView view, SnapshotResult seen, PlanBuilder plan) {
        List<ObjectWrite> writes = new ArrayList<>(3);
        SnapshotWrites.places(view.content(), seen).ifPresent(writes::add);
        SnapshotWrites.seen(view.content(), seen).ifPresent(writes::add);
        SnapshotWrites.closed(view.content(), !seen.ready() && view.intent() != null)
                .ifPresent(writes::add);
        plan.writes("store what the backend has for " + view.key(), writes, ClusterWork.Kind.WRITE, true);
    }

    // Progress.

    private static void watch(ContentView view, PlanBuilder plan) {
        ContentFacts content = view.content();
        SnapshotMemory memory = view.memory();
        @Nullable SnapshotResult seen = memory.seen();
        // For a member of a group, a create call would create another snapshot, of this volume alone.
        boolean createdElsewhere = content.given() || (content.ofGroup() && view.intent() == null);
        if (createdElsewhere && !view.asks()) {
            plan.report("believe what " + view.key() + " says", SnapshotWrites.believed(content));
            return;
        }
        if (seen != null && !seen.handle().equals(content.handle())) {
            refuse(view, "the backend calls the snapshot " + OneLine.name(seen.handle()) + " now", plan);
            return;
        }
        // The last result is stored before the next query. If a later query failed, that failure is reported.
        if (seen != null && memory.failure() == null) {
            store(view, seen, plan);
        }
        if (plan.hasSteps()) {
            return;
        }
        Optional<Map<String, String>> parameters = readParameters(view, plan);
        if (parameters.isEmpty()) {
            return;
        }
        if (memory.missing()) {
            refuse(view, "the backend has no snapshot " + OneLine.name(content.handle()), plan);
        } else {
            failed(view, plan);
        }
        long next = memory.lookedAt() + pause(memory.looks()).toNanos();
        if (memory.looks() > 0 && view.nanos() < next) {
            plan.waitUntil(next, "the backend is still working on the snapshot; it is asked again then");
        } else if (view.asks()) {
            plan.step(new SnapshotStep.GetSnapshot(
                    content.key(),
                    content.uid(),
                    content.driver(),
                    content.handle(),
                    content.members(),
                    parameters.get()));
        } else if (mayAct(view, plan) && intended(view, plan)) {
            callCut(view, plan);
        }
    }

    /** The parameters of calls for an existing snapshot: the names of secrets. */
    static Map<String, String> parameters(ContentView view) {
        Map<String, String> kept = new LinkedHashMap<>(SnapshotSecrets.of(view.content()));
        if (view.intent() != null) {
            kept.putAll(SnapshotSecrets.alone(view.intent().parameters()));
        }
        return kept;
    }

    /**
     * The parameters of calls that read a snapshot; empty if they are not known, and then the plan says why. Without an intent the
     * class names the secrets: a user gave the handle, or another program created the snapshot.
     */
    private static Optional<Map<String, String>> readParameters(ContentView view, PlanBuilder plan) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (view.intent() == null && view.type().state() == Lookup.State.UNKNOWN) {
            plan.waitFor("classes", "the snapshot classes of the cluster are not known completely");
            return Optional.empty();
        }
        if (view.intent() == null && view.type().found()) {
            try {
                parameters.putAll(SnapshotSecrets.alone(filled(view)));
            } catch (IllegalArgumentException wrong) {
                refuse(view, "the parameters of the class are not valid: " + wrong.getMessage(), plan);
                return Optional.empty();
            }
        }
        parameters.putAll(parameters(view));
        return Optional.of(parameters);
    }

    /** The class's parameters for this content. */
    private static Map<String, String> filled(ContentView view) {
        ContentFacts content = view.content();
        return SnapshotSecrets.filled(
                view.type().get().parameters(), content.words(), content.key().name(), content.wantedBy());
    }

    /** 1 s, doubled with every query, at most 5 min. */
    static Duration pause(int looks) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(Math.max(looks - 1, 0), 10));
        return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    }

    // Errors and events.

    static void failed(ContentView view, PlanBuilder plan) {
        @Nullable VolumeException failure = view.memory().failure();
        if (failure != null) {
            say(view, SnapshotReason.CREATION_FAILED, failure.getMessage(), plan);
        }
    }

    private static void refuse(ContentView view, String why, PlanBuilder plan) {
        say(view, SnapshotReason.CREATION_FAILED, why, plan);
        plan.waitFor("a change", why);
    }

    static void say(ContentView view, String reason, String why, PlanBuilder plan) {
        Optional<ObjectWrite> write =
                SnapshotWrites.error(view.content().object(), view.content().error(), why, view.now());
        plan.report("say what is wrong with " + view.key(), write)
                .warning(view.content().object(), reason, why);
    }
}
