package io.volume4j.core.control.attach.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.attach.plan.AttachStep.WriteGrants;
import io.volume4j.core.control.attach.plan.NodeView.Entry;
import io.volume4j.core.control.attach.plan.NodeView.Wish;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.grants.GrantList.Grant;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.Node.AttachedVolume;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a node's object is made to say. */
class GrantPlannerTest {
    private static final VolumeId V = VolumeId.shared("mem", "v");
    private static final VolumeId W = VolumeId.shared("mem", "w");
    private static final Grant OLD = new Grant("va", "uid-1", "1.a");
    private static final Grant NEW = new Grant("va", "uid-1", "2.b");
    private static final Grant OTHER = new Grant("va", "uid-2", "2.b");

    @Test
    void tellsTheNodeInItsAnnotationAndInItsStatus() {
        WriteGrants write = write(null, List.of(), entry(V, Wish.GIVE, NEW));

        assertThat(grants(write)).containsExactly(Map.entry(V.toString(), NEW));
        assertThat(write.attached()).containsExactly(new AttachedVolume(NodeVolumeNames.of(V), "/dev/v"));
        assertThat(write.taken()).isEmpty();
    }

    @Test
    void writesOnceForAllThatChanged() {
        WriteGrants write = write(list(V, OLD), attached(V), entry(V, Wish.TAKE, OLD), entry(W, Wish.GIVE, NEW));

        assertThat(grants(write)).containsOnlyKeys(W.toString());
        assertThat(write.attached()).extracting(AttachedVolume::name).containsExactly(NodeVolumeNames.of(W));
        assertThat(write.taken()).containsExactly(V);
    }

    @Test
    void leavesAloneWhatIsAsItShouldBe() {
        assertThat(plan(list(V, OLD), attached(V), entry(V, Wish.KEEP, NEW)).steps())
                .isEmpty();
        assertThat(plan(null, List.of()).steps()).isEmpty();
    }

    @Test
    void grantsAgainWhatOnlyTheStatusShows() {
        WriteGrants write = write(GrantList.none(), attached(V), entry(V, Wish.KEEP, OLD));

        assertThat(grants(write)).containsExactly(Map.entry(V.toString(), OLD));
        assertThat(write.attached()).isNull();
    }

    @Test
    void grantsWhatIsThereWhenItBeginsToGiveGrants() {
        WriteGrants write = write(null, attached(V), entry(V, Wish.KEEP, OLD));

        assertThat(grants(write)).containsExactly(Map.entry(V.toString(), OLD));
    }

    @Test
    void repairsAStatusThatAnotherProgramOverwrote() {
        WriteGrants write = write(list(V, OLD), List.of(), entry(V, Wish.KEEP, OLD));

        assertThat(write.grants()).isNull();
        assertThat(write.attached()).extracting(AttachedVolume::name).containsExactly(NodeVolumeNames.of(V));
    }

    @Test
    void givesAnAttachmentThatWasMadeAnewItsNewName() {
        WriteGrants write = write(list(V, OLD), attached(V), entry(V, Wish.KEEP, OTHER));

        assertThat(grants(write)).containsEntry(V.toString(), OTHER);
    }

    @Test
    void takesAwayAGrantOfWhichNothingIsKnown() {
        WriteGrants write = write(list(V, OLD), attached(V));

        assertThat(grants(write)).isEmpty();
        assertThat(write.attached()).isEmpty();
    }

    @Test
    void keepsWhatOthersWroteIntoTheStatus() {
        AttachedVolume foreign = new AttachedVolume("kubernetes.io/other/x", "/dev/x");
        WriteGrants write = write(null, List.of(foreign), entry(V, Wish.GIVE, NEW));

        assertThat(write.attached()).contains(foreign).hasSize(2);
    }

    /** A foreign controller would not know the names that versions before 0.1 wrote, nor would it detach by them. */
    @Test
    void replacesNamesOfOlderVersionsByThoseOfKubernetes() {
        AttachedVolume older = new AttachedVolume(V.toString(), "/dev/v");
        AttachedVolume unknown = new AttachedVolume("other^x", "/dev/x");
        AttachedVolume twice = new AttachedVolume(NodeVolumeNames.of(V), "");
        WriteGrants write = write(list(V, OLD), List.of(older, unknown, twice), entry(V, Wish.KEEP, OLD));

        assertThat(write.grants()).isNull();
        assertThat(write.attached())
                .containsExactlyInAnyOrder(
                        new AttachedVolume("kubernetes.io/csi/mem^v", "/dev/v"),
                        new AttachedVolume("kubernetes.io/csi/other^x", "/dev/x"));
    }

    @Test
    void readsANodeFirstWhoseAgentDoesNotGuardItsReports() {
        assertThat(write(true, list(V, OLD), attached(V), entry(V, Wish.TAKE, OLD))
                        .recheck())
                .containsExactly(V);
        assertThat(write(true, null, List.of(), entry(V, Wish.GIVE, NEW)).recheck())
                .as("giving is safe at any time")
                .isEmpty();
        assertThat(write(false, list(V, OLD), attached(V), entry(V, Wish.TAKE, OLD))
                        .recheck())
                .isEmpty();
    }

    @Test
    void tellsWhatIsTakenByForce() {
        Fence fence = new Fence(Fence.Kind.AUTHORITY_PROOF, "n1", "off");
        WriteGrants write = write(list(V, OLD), attached(V), new Entry(V, Wish.TAKE, OLD, "", false, fence));

        assertThat(write.forced()).containsExactly(Map.entry(V, fence));
    }

    @Test
    void asksForEvidenceWhenItIsTime() {
        assertThat(evidence(5).steps()).extracting(step -> step.kind().name()).containsExactly("ASK_FENCE");
        assertThat(evidence(50).waits())
                .extracting(wait -> wait.notBeforeNanos())
                .containsExactly(50L);
    }

    private static Plan<AttachStep> evidence(long askAt) {
        return GrantPlanner.plan(
                new NodeView("n1", "", "", false, false, null, List.of(), List.of(), true, "", askAt, 10));
    }

    private static Map<String, Grant> grants(WriteGrants write) {
        GrantList list = write.grants();
        assertThat(list).isNotNull();
        return list == null ? Map.of() : list.grants();
    }

    private static Entry entry(VolumeId volume, Wish wish, Grant grant) {
        return new Entry(volume, wish, grant, "/dev/" + volume.name(), wish == Wish.TAKE, null);
    }

    private static GrantList list(VolumeId volume, Grant grant) {
        return new GrantList(Map.of(volume.toString(), grant));
    }

    private static List<AttachedVolume> attached(VolumeId volume) {
        return List.of(new AttachedVolume(NodeVolumeNames.of(volume), "/dev/" + volume.name()));
    }

    private static WriteGrants write(@Nullable GrantList grants, List<AttachedVolume> attached, Entry... entries) {
        return write(false, grants, attached, entries);
    }

    private static WriteGrants write(
            boolean foreignAgent, @Nullable GrantList grants, List<AttachedVolume> attached, Entry... entries) {
        Plan<AttachStep> plan = plan(foreignAgent, grants, attached, entries);
        assertThat(plan.steps()).hasSize(1);
        return (WriteGrants) plan.steps().get(0);
    }

    private static Plan<AttachStep> plan(@Nullable GrantList grants, List<AttachedVolume> attached, Entry... entries) {
        return plan(false, grants, attached, entries);
    }

    private static Plan<AttachStep> plan(
            boolean foreignAgent, @Nullable GrantList grants, List<AttachedVolume> attached, Entry... entries) {
        return GrantPlanner.plan(new NodeView(
                "n1", "uid", "7", true, foreignAgent, grants, attached, List.of(entries), false, "", 0, 10));
    }
}
