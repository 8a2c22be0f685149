package io.volume4j.core.control.snapshot;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.DeletionPolicy;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Binds snapshots and group snapshots to their contents, and keeps each object until what depends on it is handled:
 *
 * <ol>
 *   <li>the controller sets finalizers on the snapshot and its source claims, and writes the default class,
 *   <li>it creates the content; the snapshot's UID determines its name, so that every attempt creates the same one,
 *   <li>it writes the content's name to the snapshot, and from then on mirrors the content's status.
 * </ol>
 *
 * <p>An existing content is first reserved for the snapshot's UID, then bound. The content's policy decides what remains of a
 * deleted snapshot. If a snapshot disappears without a deletion, its content stays; but the members of a group that is gone are
 * removed.
 */
public final class SnapshotPlanner {
    /** The topic of its events. */
    public static final String TOPIC = "snapshot";

    private SnapshotPlanner() {}

    public static Plan<ClusterStep> plan(SnapshotView view) {
        PlanBuilder plan = new PlanBuilder(view.key(), view.told(), TOPIC);
        SnapshotFacts snapshot = view.snapshot();
        if (snapshot.object().metadata().deleting()) {
            SnapshotEnd.plan(view, plan);
        } else if (!ofGoneGroup(view, plan) && !asSource(view, plan)) {
            if (!snapshot.boundContent().isEmpty()) {
                follow(view, plan);
            } else if (snapshot.dynamic() && snapshot.member()) {
                plan.waitFor("its group", "the controller of its group is to bind it to its content");
            } else if (snapshot.dynamic()) {
                make(view, plan);
            } else {
                take(view, plan);
            }
        }
        return plan.plan();
    }

    /**
     * Whether it is a member of a group that is gone. The write that created it was still running when the group was deleted
     * together with its known members.
     */
    private static boolean ofGoneGroup(SnapshotView view, PlanBuilder plan) {
        SnapshotView.Group group = view.group();
        switch (group.state()) {
            case MISSING -> plan.step(new ClusterWork.Verify(group.key(), group.uid()));
            case ABSENT ->
                plan.step(new ClusterWork.Remove(view.key(), view.snapshot().uid()));
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Whether the finalizer for its use as a data source must be added or removed. */
    private static boolean asSource(SnapshotView view, PlanBuilder plan) {
        ApiObject object = view.snapshot().object();
        Optional<ObjectWrite> write = Optional.empty();
        if (!view.restoring().isEmpty()) {
            write = SnapshotWrites.withFinalizer(object, WellKnown.SNAPSHOT_SOURCE_PROTECTION);
        } else if (view.restoringKnown()) {
            write = SnapshotWrites.withoutFinalizers(object, List.of(WellKnown.SNAPSHOT_SOURCE_PROTECTION));
        }
        plan.write("keep " + view.key() + " as a source as long as needed", write);
        return write.isPresent();
    }

    // The snapshot needs a new content.

    private static void make(SnapshotView view, PlanBuilder plan) {
        SnapshotFacts snapshot = view.snapshot();
        switch (view.content().state()) {
            case FOUND -> {
                if (view.content().get().belongsTo(snapshot)) {
                    plan.write(
                            "bind " + view.key(),
                            SnapshotWrites.bound(snapshot, view.content().get()));
                } else {
                    String why = view.content().get().key().name()
                            + " has the name that the snapshot's content would get, but is not for this snapshot";
                    fail(view, SnapshotReason.CONTENT_MISBOUND, why, plan);
                }
            }
            case MISSING, ABSENT -> {
                if (sourcesUsable(view, plan) && classUsable(view, plan)) {
                    begin(view, plan);
                }
            }
            default -> plan.waitFor("contents", "the contents of the cluster are not known completely");
        }
    }

    private static boolean sourcesUsable(SnapshotView view, PlanBuilder plan) {
        if (!view.sourcesKnown()) {
            plan.waitFor("claims", "the claims of the cluster are not known completely");
            return false;
        }
        if (view.sources().isEmpty()) {
            fail(view, SnapshotReason.CREATION_FAILED, "the selector chooses no claim", plan);
            return false;
        }
        String driver = view.sources().get(0).driver();
        for (SnapshotView.Source source : view.sources()) {
            Optional<String> why = unusable(source, driver);
            if (why.isPresent()) {
                fail(view, SnapshotReason.CONTENT_CREATION_FAILED, why.get(), plan);
                return false;
            }
        }
        return true;
    }

    private static Optional<String> unusable(SnapshotView.Source source, String driver) {
        String claim = "claim " + source.key().namespace() + "/"
                + OneLine.name(source.key().name());
        if (!source.claim().found()) {
            return Optional.of(claim + " does not exist");
        }
        boolean kept = source.claim().get().metadata().finalizers().contains(WellKnown.SNAPSHOTTED_PROTECTION);
        if (source.claim().get().metadata().deleting() && !kept) {
            return Optional.of(claim + " is being deleted");
        }
        if (!source.volume().found()) {
            return Optional.of(claim + " is not bound to a volume");
        }
        if (source.handle().isEmpty()) {
            return Optional.of("the volume of " + claim + " is not one of a CSI driver");
        }
        return source.driver().equals(driver)
                ? Optional.empty()
                : Optional.of("the volume of " + claim + " is one of driver " + source.driver()
                        + ", that of the first claim one of " + driver + ", and one driver creates a group");
    }

    private static boolean classUsable(SnapshotView view, PlanBuilder plan) {
        String driver = view.sources().get(0).driver();
        String named = view.snapshot().className();
        Lookup<ClassFacts> type = view.type();
        String kind = view.snapshot().words().type().apiName();
        if (type.state() == Lookup.State.UNKNOWN) {
            plan.waitFor("classes", "the snapshot classes of the cluster are not known completely");
            return false;
        }
        if (named.isEmpty() && view.defaults() != 1) {
            String why = view.defaults() == 0
                    ? "the snapshot names no class, and no " + kind + " of driver " + driver + " is the default one"
                    : "the snapshot names no class, and " + view.defaults() + " classes of driver " + driver
                            + " are marked as default";
            fail(view, SnapshotReason.NO_CLASS, why, plan);
            return false;
        }
        if (!type.found()) {
            fail(
                    view,
                    SnapshotReason.CONTENT_CREATION_FAILED,
                    kind + " " + OneLine.quoted(named) + " does not exist",
                    plan);
            return false;
        }
        if (!type.get().driver().equals(driver)) {
            String why = kind + " \"" + type.get().name() + "\" is one of driver "
                    + type.get().driver() + ", the volume is one of " + driver;
            fail(view, SnapshotReason.CONTENT_CREATION_FAILED, why, plan);
            return false;
        }
        return true;
    }

    /** Sets all finalizers first, then creates the content. */
    private static void begin(SnapshotView view, PlanBuilder plan) {
        SnapshotFacts snapshot = view.snapshot();
        List<ObjectWrite> writes = new ArrayList<>();
        SnapshotWrites.withFinalizer(snapshot.object(), snapshot.words().keepsSnapshot())
                .ifPresent(writes::add);
        if (snapshot.className().isEmpty()) {
            writes.add(ObjectWrite.of(
                    snapshot.object(),
                    List.of(FieldChange.set(
                            view.type().get().name(), "spec", snapshot.words().className()))));
        }
        for (SnapshotView.Source source : view.sources()) {
            SnapshotWrites.withFinalizer(source.claim().get(), WellKnown.SNAPSHOTTED_PROTECTION)
                    .ifPresent(writes::add);
        }
        if (!writes.isEmpty()) {
            plan.writes("keep " + view.key() + " and what it is made of", writes, ClusterWork.Kind.WRITE, true);
            return;
        }
        String why = "waiting for the driver " + view.type().get().driver() + " to create the snapshot";
        plan.normal(snapshot.object(), SnapshotReason.CREATING, why)
                .step(new ClusterWork.Create(
                        Contents.of(snapshot, view.sources(), view.type().get())));
    }

    // A user created the content.

    private static void take(SnapshotView view, PlanBuilder plan) {
        SnapshotFacts snapshot = view.snapshot();
        Lookup<ContentFacts> content = view.content();
        if (content.state() == Lookup.State.UNKNOWN) {
            plan.waitFor("contents", "the contents of the cluster are not known completely");
            return;
        }
        if (!content.found() && snapshot.member()) {
            plan.waitFor("its group", "the controller of its group is to make its content");
            return;
        }
        if (!content.found()) {
            String why = snapshot.words().content().apiName() + " " + OneLine.quoted(snapshot.givenContent())
                    + " does not exist";
            fail(view, SnapshotReason.CONTENT_MISSING, why, plan);
            return;
        }
        ContentFacts found = content.get();
        if (!found.names(snapshot)) {
            String why = "content " + found.key().name() + " is for the snapshot "
                    + OneLine.name(found.wantedBy().namespace()) + "/"
                    + OneLine.name(found.wantedBy().name())
                    + (found.wantedBy().uid().isEmpty()
                            ? ""
                            : " of UID " + OneLine.name(found.wantedBy().uid()));
            fail(view, SnapshotReason.CONTENT_MISBOUND, why, plan);
            return;
        }
        if (!found.given() && !(snapshot.member() && found.ofGroup())) {
            String why = "content " + found.key().name() + " was made for another snapshot and cannot be taken";
            fail(view, SnapshotReason.CONTENT_MISMATCH, why, plan);
            return;
        }
        Optional<ObjectWrite> keep =
                SnapshotWrites.withFinalizer(snapshot.object(), snapshot.words().keepsSnapshot());
        if (keep.isPresent()) {
            plan.write("keep " + view.key(), keep);
        } else if (found.reservedFor(snapshot)) {
            plan.write(reserving(view, found), Optional.of(SnapshotWrites.bind(found, snapshot)));
        } else {
            plan.write("bind " + view.key(), SnapshotWrites.bound(snapshot, found));
        }
    }

    private static String reserving(SnapshotView view, ContentFacts content) {
        return "reserve " + content.key() + " for " + view.key();
    }

    // After the binding.

    private static void follow(SnapshotView view, PlanBuilder plan) {
        SnapshotFacts snapshot = view.snapshot();
        switch (view.content().state()) {
            // Only the store may take back that the snapshot is ready, and that it needs its claim.
            case MISSING -> plan.step(new ClusterWork.Verify(snapshot.contentKey(), ""));
            case ABSENT -> {
                String why = "content " + OneLine.name(snapshot.boundContent())
                        + ", which the snapshot is bound to, is gone";
                fail(view, SnapshotReason.CONTENT_MISSING, why, plan);
            }
            case FOUND -> {
                ContentFacts content = view.content().get();
                if (snapshot.member() && content.ofGroup() && content.reservedFor(snapshot)) {
                    // The group has made it again; its handle is the one that the group says.
                    plan.write(reserving(view, content), Optional.of(SnapshotWrites.bind(content, snapshot)));
                } else if (!content.belongsTo(snapshot)) {
                    String why =
                            "content " + content.key().name() + ", which the snapshot is bound to, is for another one";
                    fail(view, SnapshotReason.CONTENT_MISBOUND, why, plan);
                } else {
                    mirror(view, content, plan);
                }
            }
            default -> plan.waitFor("contents", "the contents of the cluster are not known completely");
        }
    }

    private static void mirror(SnapshotView view, ContentFacts content, PlanBuilder plan) {
        SnapshotFacts snapshot = view.snapshot();
        plan.write(
                "keep " + view.key(),
                SnapshotWrites.withFinalizer(snapshot.object(), snapshot.words().keepsSnapshot()));
        if (plan.hasSteps()) {
            return;
        }
        Optional<ObjectWrite> news = SnapshotWrites.bound(snapshot, content);
        if (news.isPresent()) {
            plan.report("say what content " + content.key().name() + " says", news);
            if (content.ready() && !snapshot.ready()) {
                plan.normal(snapshot.object(), SnapshotReason.READY, "volumes can be made from the snapshot");
            }
            return;
        }
        view.members().forEach(member -> {
            member.missing().forEach(object -> plan.step(new ClusterWork.Create(object)));
            plan.write("say what the backend calls a member of " + view.key(), member.unsaid());
        });
        if (content.ready()) {
            return;
        }
        if (content.error() != null) {
            String why = content.error().message();
            plan.warning(snapshot.object(), SnapshotReason.CREATION_FAILED, why)
                    .waitFor("its content", "its content says: " + why);
        } else if (!content.handle().isEmpty()) {
            String why = "the snapshot was created; the driver " + content.driver() + " is still working on it";
            plan.normal(snapshot.object(), SnapshotReason.CREATED, why).waitFor("its content", why);
        } else {
            plan.waitFor("its content", "the driver " + content.driver() + " is to create the snapshot");
        }
    }

    /**
     * Also writes the error to the status, and waits: a user must change an object to solve each of these. Until then the snapshot is
     * not ready.
     */
    private static void fail(SnapshotView view, String reason, String why, PlanBuilder plan) {
        SnapshotFacts snapshot = view.snapshot();
        plan.report("say what is wrong with " + view.key(), SnapshotWrites.unusable(snapshot, why, view.now()))
                .warning(snapshot.object(), reason, why)
                .waitFor("a change", why);
    }

    static boolean deletes(ContentFacts content) {
        return content.policy() == DeletionPolicy.DELETE;
    }
}
