package io.volume4j.core.control.snapshot;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.DeletionPolicy;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OneLine;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans the end of a content that a user deletes. The deletion itself is the durable record. It takes effect only if the content's
 * snapshot is being deleted too, the store says that the snapshot is gone, or there never was one. The controller first finds out
 * what the backend has. Then it deletes that if the policy says so, and then it releases the object.
 */
final class ContentEnd {
    private ContentEnd() {}

    /**
     * Whether the content was created after its snapshot or group was deleted. A write of this process or of an earlier one was
     * then still running. No other program will delete the content.
     */
    static boolean cameLate(ContentView view) {
        return behindItsGroup(view) || behindItsSnapshot(view);
    }

    /** A member's content without a snapshot. With policy Retain it stays like the rest of the group. */
    private static boolean behindItsGroup(ContentView view) {
        ContentFacts content = view.content();
        return content.policy() == DeletionPolicy.DELETE
                && content.wantedBy().uid().isEmpty()
                && view.groupContent().notThere();
    }

    /** The controller created it, as its name shows, and no snapshot was created for it at the backend. */
    private static boolean behindItsSnapshot(ContentView view) {
        ContentFacts content = view.content();
        return content.key()
                        .name()
                        .equals(content.words().contentName(content.wantedBy().uid()))
                && content.handle().isEmpty()
                && !view.open()
                && view.snapshot().notThere();
    }

    /** Asks for the deletion of such a content, after the store says that its snapshot or group is gone. */
    static void begin(ContentView view, PlanBuilder plan) {
        ContentFacts content = view.content();
        boolean member = behindItsGroup(view);
        Lookup.State state =
                member ? view.groupContent().state() : view.snapshot().state();
        if (state == Lookup.State.ABSENT) {
            plan.step(new ClusterWork.Remove(content.key(), content.uid()));
        } else if (member) {
            plan.step(new ClusterWork.Verify(
                    new ObjectKey(SnapshotWords.GROUP.content(), "", content.groupContent()), ""));
        } else {
            plan.step(verifySnapshot(content));
        }
    }

    private static ClusterStep verifySnapshot(ContentFacts content) {
        return new ClusterWork.Verify(
                new ObjectKey(
                        content.words().snapshot(),
                        content.wantedBy().namespace(),
                        content.wantedBy().name()),
                content.wantedBy().uid());
    }

    static void plan(ContentView view, PlanBuilder plan) {
        ContentFacts content = view.content();
        if (!content.object().metadata().finalizers().contains(content.words().keepsContent())) {
            plan.waitFor("others", "deleted, but kept by finalizers of other programs");
        } else if (!free(view, plan)) {
            return;
        } else if (content.ofGroup()) {
            ofGroup(view, plan);
        } else if (content.policy() == DeletionPolicy.UNKNOWN) {
            String why = "the deletion policy is not known here, so nothing is destroyed and the content stays";
            plan.warning(content.object(), SnapshotReason.UNKNOWN_POLICY, why).waitFor("the policy", why);
        } else if (view.doubt()) {
            doubtful(view, plan);
        } else if (content.policy() == DeletionPolicy.DELETE
                && !content.handle().isEmpty()
                && !view.memory().discarded()) {
            discard(view, plan);
        } else {
            letGo(view, plan);
        }
    }

    /** Whether no snapshot keeps it. */
    private static boolean free(ContentView view, PlanBuilder plan) {
        ContentFacts content = view.content();
        if (content.wantedBy().uid().isEmpty()
                || content.annotated(content.words().beingDeleted())) {
            return true;
        }
        switch (view.snapshot().state()) {
            case FOUND -> plan.waitFor("its snapshot", "deleted, but kept while its snapshot is bound to it");
            case UNKNOWN, UNNAMED -> plan.waitFor("snapshots", "the snapshots of the cluster are not known completely");
            case MISSING -> plan.step(verifySnapshot(content));
            case ABSENT -> {
                return true;
            }
        }
        return false;
    }

    /** The backend can delete only the whole group. The plan of the group's content does that. */
    private static void ofGroup(ContentView view, PlanBuilder plan) {
        Lookup<ContentFacts> group = view.groupContent();
        if (group.state() == Lookup.State.UNKNOWN) {
            plan.waitFor("group snapshots", "the contents of group snapshots are not known completely");
        } else if (group.found() && view.content().policy() == DeletionPolicy.DELETE) {
            plan.waitFor("its group", "deleted, but kept while the group exists that it was created with");
        } else {
            letGo(view, plan);
        }
    }

    private static void doubtful(ContentView view, PlanBuilder plan) {
        if (!view.here()) {
            String why = "the backend may have a snapshot without an object, and no plugin of this process makes"
                    + " snapshots of driver " + OneLine.name(view.content().driver());
            plan.waitFor("plugins", why);
            return;
        }
        ContentPlanner.cut(view, plan);
    }

    private static void discard(ContentView view, PlanBuilder plan) {
        ContentFacts content = view.content();
        if (view.other().found()) {
            leave(view, view.other().get(), plan);
            return;
        }
        if (view.other().state() == Lookup.State.UNKNOWN) {
            plan.waitFor("contents", "the contents of the cluster are not known completely");
            return;
        }
        if (!view.here()) {
            plan.waitFor(
                    "plugins",
                    "no plugin of this process destroys snapshots of driver " + OneLine.name(content.driver()));
            return;
        }
        @Nullable VolumeException failure = view.memory().failure();
        if (failure != null) {
            ContentPlanner.say(view, SnapshotReason.DELETE_FAILED, failure.getMessage(), plan);
        }
        plan.step(new SnapshotStep.DeleteSnapshot(
                content.key(),
                content.uid(),
                view.self().epoch(),
                content.driver(),
                content.handle(),
                content.members(),
                ContentPlanner.parameters(view)));
    }

    /** The other content decides with its policy what happens to the snapshot. */
    private static void leave(ContentView view, ContentFacts other, PlanBuilder plan) {
        if (view.otherConfirmed()) {
            letGo(view, plan);
        } else {
            plan.step(new ClusterWork.Verify(other.key(), other.uid()));
        }
    }

    private static void letGo(ContentView view, PlanBuilder plan) {
        ContentFacts content = view.content();
        List<ObjectWrite> writes = new ArrayList<>(3);
        if (view.memory().discarded()) {
            // After a crash, an open intent without a handle would mean that the snapshot may have to be created to be
            // deleted.
            SnapshotWrites.closed(content, false).ifPresent(writes::add);
            SnapshotWrites.emptied(content).ifPresent(writes::add);
        }
        SnapshotWrites.withoutFinalizers(
                        content.object(), List.of(content.words().keepsContent()))
                .ifPresent(writes::add);
        plan.writes("let " + view.key() + " go", writes, ClusterWork.Kind.WRITE, true);
    }
}
