package io.volume4j.inmemory.chaos;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.snapshot.SnapshotResult;
import io.volume4j.core.control.snapshot.SnapshotStep;
import io.volume4j.core.engine.Outcome;
import io.volume4j.inmemory.chaos.Mutants.Mutant;
import io.volume4j.inmemory.sim.SimulationBuilder;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Deliberate bugs of the code for groups of snapshots, which random lives must detect. */
final class GroupMutants {
    /** Prefix of the names of contents that the controller created for groups. */
    private static final String MADE = "groupsnapcontent-";

    private GroupMutants() {}

    static List<Mutant> all() {
        return List.of(
                LifeMutants.steps(
                        "cuts a group of one volume less than its content names",
                        step -> List.of(
                                step instanceof SnapshotStep.CreateSnapshot cut && group(cut) ? smaller(cut) : step)),
                new Mutant("destroys groups that are to be kept", GroupMutants::destroying),
                LifeMutants.steps(
                        "makes no snapshots of a group's members",
                        step -> step instanceof ClusterWork.Create create
                                        && create.object().kind() == Kind.VOLUME_SNAPSHOT
                                ? List.of()
                                : List.of(step)),
                LifeMutants.outcomes(
                        "forgets a member that was cut",
                        (step, outcome) -> cutGroup(step, outcome) ? Outcome.success(fewer(outcome)) : outcome),
                LifeMutants.outcomes(
                        "takes a group for ready when it is cut",
                        (step, outcome) -> cutGroup(step, outcome) ? Outcome.success(ready(outcome)) : outcome),
                LifeMutants.outcomes(
                        "takes a group for not cut when the answer is lost",
                        (step, outcome) ->
                                step instanceof SnapshotStep.CreateSnapshot cut && group(cut) && !outcome.succeeded()
                                        ? Outcome.failure(VolumeException.finalFailure("mutated")
                                                .provingAbsence())
                                        : outcome));
    }

    /** Once for each content, before its removal. */
    private static SimulationBuilder destroying(SimulationBuilder builder) {
        Set<ObjectKey> done = new HashSet<>();
        return LifeMutants.steps("", step -> {
                    if (!(step instanceof ClusterWork.Write write)
                            || !write.purpose().startsWith("let VolumeGroupSnapshotContent//" + MADE)
                            || !done.add(write.writes().get(0).key())) {
                        return List.of(step);
                    }
                    ObjectWrite last = write.writes().get(0);
                    String handle = "groupsnapshot-" + last.key().name().substring(MADE.length());
                    return List.of(new SnapshotStep.DeleteSnapshot(
                            last.key(), last.uid(), 1, "mem", handle, List.of(), Map.of()));
                })
                .change()
                .apply(builder);
    }

    private static boolean group(SnapshotStep step) {
        return isGroup(step.content());
    }

    private static boolean isGroup(ObjectKey content) {
        return content.kind() == Kind.VOLUME_GROUP_SNAPSHOT_CONTENT;
    }

    private static boolean cutGroup(ClusterStep step, Outcome outcome) {
        return step instanceof SnapshotStep.CreateSnapshot cut && group(cut) && outcome.succeeded();
    }

    private static SnapshotStep smaller(SnapshotStep.CreateSnapshot cut) {
        return new SnapshotStep.CreateSnapshot(
                cut.content(),
                cut.contentUid(),
                cut.epoch(),
                cut.plugin(),
                cut.name(),
                cut.volumes()
                        .subList(
                                Math.min(1, cut.volumes().size() - 1),
                                cut.volumes().size()),
                cut.parameters(),
                cut.handle());
    }

    private static SnapshotResult fewer(Outcome outcome) {
        SnapshotResult cut = outcome.requireValue(SnapshotResult.class);
        return new SnapshotResult(
                cut.handle(),
                cut.cutAt(),
                cut.bytes(),
                cut.ready(),
                cut.members().subList(0, cut.members().size() - 1));
    }

    private static SnapshotResult ready(Outcome outcome) {
        SnapshotResult cut = outcome.requireValue(SnapshotResult.class);
        return new SnapshotResult(
                cut.handle(),
                cut.cutAt(),
                cut.bytes(),
                true,
                cut.members().stream()
                        .map(member -> new SnapshotResult.Member(
                                member.volume(), member.handle(), member.cutAt(), member.bytes(), true))
                        .toList());
    }
}
