package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.Capability;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.inmemory.virtual.VirtualScheduler;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.VolumeAttachment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An attacher apart from the controller: they meet in VolumeAttachments only. */
class ExternalAttacherTest {
    private static final String FINALIZER = "external-attacher/mem";

    private final AttachHarness cluster = new AttachHarness(1);
    private VirtualScheduler.@Nullable VirtualLoop loop;
    private final List<String> carriedOut = new ArrayList<>();
    private boolean takesOver;
    private ClusterWriter writer = cluster.cluster;

    @Test
    void carriesOutWhatTheControllerAsksFor() {
        given();
        attacher();
        cluster.pod("a", "n1", "v").settle();

        VolumeAttachment record = cluster.records().get(0);
        assertThat(record.metadata().finalizers()).containsExactly(FINALIZER);
        assertThat(record.status().attached()).isTrue();
        assertThat(record.status().attachmentMetadata()).containsKey("storage.mem/device");
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.on("n1").mounted("a").volumes()).hasSize(1);

        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "detach h-v n1");
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.storage.violations()).isEmpty();
    }

    @Test
    void keepsTheObjectsBeforeItAsksTheDriver() {
        given();
        attacher();
        cluster.plugin.faults().add(Fault.on("attach").always());
        cluster.pod("a", "n1", "v").settle();

        VolumeAttachment record = cluster.records().get(0);
        assertThat(record.metadata().finalizers()).containsExactly(FINALIZER);
        assertThat(cluster.cluster
                        .get(ObjectKey.volume("pv-v"))
                        .orElseThrow()
                        .metadata()
                        .finalizers())
                .containsExactly(FINALIZER);
        assertThat(record.status().attached()).isFalse();
        VolumeAttachment.Failure error = record.status().attachError();
        assertThat(error == null ? "" : error.message()).contains("attach h-v n1");

        cluster.plugin.faults().heal();
        cluster.settle();
        record = cluster.records().get(0);
        assertThat(record.status().attached()).isTrue();
        assertThat(record.status().attachError()).isNull();
    }

    /** The write of the volume's finalizer fails then, and must be repeated before any call. */
    @Test
    void keepsTheVolumesObjectAlsoIfAnotherProgramChangesItAtTheSameTime() {
        given();
        writer = new Contested(cluster.cluster);
        attacher();
        cluster.pod("a", "n1", "v").settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.cluster
                        .get(ObjectKey.volume("pv-v"))
                        .orElseThrow()
                        .metadata()
                        .finalizers())
                .containsExactly(FINALIZER);
    }

    @Test
    void saysThatTheDriverRefusedForWantOfRoom() {
        given();
        attacher();
        cluster.plugin.faults().add(Fault.on("attach").always().as(FaultKind.EXHAUSTED));
        cluster.pod("a", "n1", "v").settle();
        assertThat(cluster.records().get(0).status().refusedForRoom()).isTrue();

        cluster.plugin.faults().heal();
        cluster.plugin.faults().add(Fault.on("attach").always().as(FaultKind.TRANSIENT));
        cluster.settle();
        VolumeAttachment.Failure error = cluster.records().get(0).status().attachError();
        assertThat(error == null ? -1 : error.errorCode())
                .as("another reason now")
                .isZero();
    }

    /** API servers refuse a message of more than 1,024 bytes. */
    @Test
    void recordsTheBeginningOfALongError() {
        given();
        attacher();
        cluster.plugin.faults().add(Fault.on("attach").always().saying("the backend says " + "no ".repeat(1000)));
        cluster.pod("a", "n1", "v").settle();

        VolumeAttachment.Failure error = cluster.records().get(0).status().attachError();
        assertThat(error == null ? "" : error.message())
                .contains("the backend says no no")
                .endsWith("...")
                .hasSize(1024);
        assertThat(carriedOut)
                .filteredOn("record_error"::equals)
                .as("begun once and ended once")
                .hasSize(2);
    }

    /** API servers drop fields that they do not have, or that a feature gate hides. */
    @Test
    void recordsOnceThatThereIsNoRoomWhereTheServerKeepsNoErrorCode() {
        given();
        writer = new WithoutErrorCode(cluster.cluster);
        attacher();
        cluster.plugin.faults().add(Fault.on("attach").always().as(FaultKind.EXHAUSTED));
        cluster.pod("a", "n1", "v").settle();

        VolumeAttachment.Failure error = cluster.records().get(0).status().attachError();
        assertThat(error == null ? "" : error.message()).contains("attach h-v n1");
        assertThat(carriedOut)
                .filteredOn("record_error"::equals)
                .as("begun once and ended once")
                .hasSize(2);
    }

    @Test
    void letsARecordGoOnlyWhenItIsDetached() {
        given();
        attacher();
        cluster.pod("a", "n1", "v").settle();
        cluster.plugin.faults().add(Fault.on("detach").always());
        cluster.deletePod("a");
        cluster.settle();

        VolumeAttachment record = cluster.records().get(0);
        assertThat(record.metadata().deleting()).isTrue();
        VolumeAttachment.Failure error = record.status().detachError();
        assertThat(error == null ? "" : error.message()).contains("detach h-v n1");

        cluster.plugin.faults().heal();
        cluster.settle();
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.attached("v")).isEmpty();
    }

    @Test
    void detachesAVolumeWhoseObjectIsBeingDeletedAndThenLetsItGo() {
        given();
        attacher();
        cluster.pod("a", "n1", "v").settle();
        cluster.cluster.remove(ObjectKey.volume("pv-v"));
        cluster.settle();
        assertThat(cluster.has(ObjectKey.volume("pv-v"))).isTrue();

        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.attached("v")).isEmpty();
        assertThat(cluster.has(ObjectKey.volume("pv-v"))).isFalse();
    }

    /** Its object was removed by force and made anew under a record whose attach had not succeeded yet. */
    @Test
    void attachesNothingElseThanWhatTheRecordIsFor() {
        given();
        attacher();
        cluster.plugin.faults().add(Fault.on("attach").always());
        cluster.pod("a", "n1", "v").settle();
        cluster.killController("c");
        cluster.storage.add("h-other", 1 << 30);
        cluster.rehandle("v", "h-other");
        cluster.plugin.faults().heal();
        cluster.settle();

        assertThat(cluster.controlCalls()).noneMatch(call -> call.startsWith("attach h-other n1"));
        VolumeAttachment.Failure error = cluster.records().get(0).status().attachError();
        assertThat(error == null ? "" : error.message()).contains("is now of h-other");
    }

    @Test
    void leavesAloneWhatAControllerCarriesOutItself() {
        cluster.node("n1").volume("v", AccessMode.READ_WRITE_ONCE).controller();
        attacher();
        cluster.pod("a", "n1", "v").settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");
        assertThat(cluster.records().get(0).metadata().finalizers()).doesNotContain(FINALIZER);
    }

    /** As when Kubernetes' controller and this attacher take the place of a controller that attached and detached itself. */
    @ParameterizedTest(name = "with the names of Kubernetes: {0}")
    @ValueSource(booleans = {false, true})
    void goesOnInThePlaceOfAControllerThatCarriedOutItself(boolean kubernetesNames) {
        cluster.options = cluster.options.withKubernetesNames(kubernetesNames);
        cluster.node("n1").volume("v", AccessMode.READ_WRITE_ONCE).controller();
        cluster.pod("a", "n1", "v").settle();
        cluster.killController("c");
        takesOver = true;
        attacher();
        cluster.settle();
        VolumeAttachment record = cluster.records().get(0);
        assertThat(record.metadata().finalizers()).containsExactly(FINALIZER);
        assertThat(record.metadata().annotations()).doesNotContainKey(GrantKeys.MODE);
        assertThat(cluster.cluster
                        .readLive(ObjectKey.volume("pv-v"))
                        .orElseThrow()
                        .metadata()
                        .finalizers())
                .containsExactly(FINALIZER);
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.deletePod("a");
        cluster.settle();
        cluster.cluster.delete(record.key(), Preconditions.of(record.metadata()));
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "detach h-v n1");
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.storage.violations()).isEmpty();
    }

    /** The controller died between the intent to detach and the detach. */
    @Test
    void detachesWhatAControllerInWhosePlaceItIsHadBegunToEnd() {
        cluster.node("n1").volume("v", AccessMode.READ_WRITE_ONCE).controller();
        cluster.pod("a", "n1", "v").settle();
        cluster.killController("c");
        cluster.deletePod("a");
        cluster.settle();
        VolumeAttachment record = cluster.records().get(0);
        cluster.cluster.delete(record.key(), Preconditions.of(record.metadata()));
        takesOver = true;
        attacher();
        cluster.settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "detach h-v n1");
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.storage.violations()).isEmpty();
    }

    /** As when the process that has every controller takes the place of Kubernetes' controller and of the driver's sidecar. */
    @Test
    void aControllerThatTakesItsPlaceDetachesWhatItKept() {
        given();
        attacher();
        cluster.pod("a", "n1", "v").settle();
        assertThat(cluster.records().get(0).metadata().finalizers()).containsExactly(FINALIZER);
        kill();
        controllerInItsPlace();

        cluster.deletePod("a");
        cluster.settle();

        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "detach h-v n1");
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.storage.violations()).isEmpty();
    }

    /** The attacher still runs, by mistake: it would detach what a person deleted, whatever the node does with it. */
    @Test
    void leavesToAControllerThatTakesItsPlaceWhatItKept() {
        given();
        attacher();
        cluster.pod("a", "n1", "v").settle();
        controllerInItsPlace();
        VolumeAttachment record = cluster.records().get(0);
        assertThat(record.metadata().finalizers()).containsExactly(FINALIZER);
        assertThat(record.metadata().annotation(GrantKeys.MODE)).isEqualTo(GrantKeys.DIRECT);
        carriedOut.clear();

        cluster.cluster.delete(record.key(), Preconditions.of(record.metadata()));
        cluster.settle();
        assertThat(cluster.controlCalls()).as("while the node uses it").containsExactly("attach h-v n1");

        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "detach h-v n1");
        assertThat(cluster.records()).isEmpty();
        assertThat(carriedOut).as("by the attacher").isEmpty();
        assertThat(cluster.storage.violations()).isEmpty();
    }

    /** It began to be ended before the other controller came, and the attacher had not come to detach it. */
    @Test
    void whatItLeftDeletedIsDetachedOnlyWhenTheNodeLetGo() {
        given();
        attacher();
        cluster.pod("a", "n1", "v").settle();
        kill();
        cluster.killController("c");
        VolumeAttachment record = cluster.records().get(0);
        cluster.cluster.delete(record.key(), Preconditions.of(record.metadata()));
        controllerInItsPlace();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1");

        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.controlCalls()).containsExactly("attach h-v n1", "detach h-v n1");
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.storage.violations()).isEmpty();
    }

    @Test
    void aControllerThatTakesItsPlaceLetsTheVolumesGoThatItKept() {
        given();
        attacher();
        cluster.pod("a", "n1", "v").settle();
        kill();
        cluster.cluster.remove(ObjectKey.volume("pv-v"));
        controllerInItsPlace();
        assertThat(cluster.has(ObjectKey.volume("pv-v"))).as("attached").isTrue();

        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.attached("v")).isEmpty();
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.has(ObjectKey.volume("pv-v"))).isFalse();
    }

    /** The attacher stopped between the last record and its volume. */
    @Test
    void aControllerThatTakesItsPlaceLetsAVolumeGoOfWhichNothingElseIsLeft() {
        given();
        attacher();
        cluster.pod("a", "n1", "v").settle();
        cluster.deletePod("a");
        cluster.settle();
        kill();
        cluster.cluster.remove(ObjectKey.volume("pv-v"));
        assertThat(cluster.has(ObjectKey.volume("pv-v"))).isTrue();
        controllerInItsPlace();
        assertThat(cluster.has(ObjectKey.volume("pv-v"))).isFalse();
    }

    /** A record that became a controller's own counts no more when it is gone. */
    @Test
    void letsAVolumeGoWhoseRecordAControllerTookOver() {
        given();
        attacher();
        cluster.pod("a", "n1", "v").settle();
        cluster.killController("c");
        VolumeAttachment record = cluster.records().get(0);
        cluster.cluster.apply(new VolumeAttachment(
                record.metadata()
                        .withAnnotation(GrantKeys.MODE, GrantKeys.DIRECT)
                        .withFinalizers(List.of()),
                record.spec(),
                record.status(),
                record.unmodeled()));
        cluster.run();
        cluster.cluster.remove(record.key());
        cluster.cluster.remove(ObjectKey.volume("pv-v"));
        cluster.settle();

        assertThat(cluster.has(ObjectKey.volume("pv-v"))).isFalse();
    }

    @Test
    void goesOnAfterADeathAtAnyStep() {
        int steps = 0;
        boolean survived = false;
        while (!survived) {
            survived = new ExternalAttacherTest().liveAndDie(steps++);
        }
        assertThat(steps).isGreaterThan(30);
    }

    private boolean liveAndDie(int crashAfter) {
        given();
        attacher();
        cluster.pod("a", "n1", "v");
        boolean survived = run(crashAfter);
        cluster.run();
        cluster.world.advance(java.time.Duration.ofMinutes(1));
        assertThat(cluster.attached("v")).as("death after %d", crashAfter).containsExactly("n1");
        cluster.deletePod("a");
        survived = run(crashAfter) && survived;
        cluster.world.advance(java.time.Duration.ofMinutes(1));
        assertThat(cluster.attached("v")).as("death after %d", crashAfter).isEmpty();
        assertThat(cluster.records()).as("death after %d", crashAfter).isEmpty();
        assertThat(cluster.storage.violations()).isEmpty();
        return survived;
    }

    private boolean run(int steps) {
        for (int i = 0; i < steps; i++) {
            if (!cluster.world.step()) {
                return true;
            }
        }
        kill();
        attacher();
        return false;
    }

    /** As Kubernetes' external-attacher does: the controller made the record, and the driver has no call for it. */
    @Test
    void recordsAnAttachmentWithoutACallIfTheDriverAttachesNothing() {
        AttachHarness other =
                new AttachHarness(1, InMemoryStorage.create(), builder -> builder.without(Capability.ATTACH));
        other.options = other.options.withExternalAttachers(Set.of("mem"));
        other.foreignNode("n1").volume("v", AccessMode.READ_WRITE_ONCE).controller();
        other.attacher(other.cluster, AttachOptions.standard().withResyncPerSecond(0), step -> {});
        other.pod("a", "n1", "v").settle();
        assertThat(other.attachedTo("n1")).containsExactly("mem^h-v");

        other.deletePod("a");
        other.settle();
        assertThat(other.records()).isEmpty();
        assertThat(other.controlCalls()).isEmpty();
    }

    private void given() {
        cluster.options = cluster.options.withExternalAttachers(Set.of("mem"));
        cluster.node("n1").volume("v", AccessMode.READ_WRITE_ONCE).controller();
    }

    private void controllerInItsPlace() {
        cluster.killController("c");
        cluster.options = cluster.options.withExternalAttachers(Set.of());
        cluster.controller("d", LeaderEpoch.alone()).settle();
    }

    private void kill() {
        if (loop != null) {
            loop.kill();
        }
    }

    private void attacher() {
        loop = cluster.attacher(
                writer,
                AttachOptions.standard().withResyncPerSecond(0).withTakesOver(takesOver),
                step -> carriedOut.add(step.action()));
    }

    /** Another program writes the volume's object just before the attacher's first write. */
    private static final class Contested implements ClusterWriter {
        private final InMemoryCluster server;
        private boolean contested;

        Contested(InMemoryCluster server) {
            this.server = server;
        }

        @Override
        public ApiObject create(ApiObject object) {
            return server.create(object);
        }

        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            if (key.kind() == Kind.PERSISTENT_VOLUME && !contested) {
                contested = true;
                FieldChange change = FieldChange.set("x", "metadata", "annotations", "of-another-program");
                server.patch(key, new Patch(Preconditions.none(), false, List.of(change)));
            }
            return server.patch(key, patch);
        }

        @Override
        public void delete(ObjectKey key, Preconditions preconditions) {
            server.delete(key, preconditions);
        }
    }

    /** A server that does not know the field {@code errorCode}. */
    private record WithoutErrorCode(ClusterWriter server) implements ClusterWriter {
        @Override
        public ApiObject create(ApiObject object) {
            return server.create(object);
        }

        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            List<FieldChange> kept = new ArrayList<>();
            for (FieldChange change : patch.changes()) {
                Map<Object, Object> value =
                        change.value() instanceof Map<?, ?> map ? new LinkedHashMap<>(map) : Map.of();
                kept.add(
                        value.containsKey("errorCode") && value.remove("errorCode") != null
                                ? new FieldChange(change.path(), value)
                                : change);
            }
            return server.patch(key, new Patch(patch.preconditions(), patch.status(), kept));
        }

        @Override
        public void delete(ObjectKey key, Preconditions preconditions) {
            server.delete(key, preconditions);
        }
    }
}
