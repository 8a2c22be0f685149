package io.volume4j.core.control.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Where the cluster forbids a call, the advice names the permission that is missing. */
class ForbiddenCallsTest {
    private static final ObjectKey SNAPSHOT = new ObjectKey(Kind.VOLUME_SNAPSHOT, "default", "s");

    private final Forbidding cluster = new Forbidding();
    private final ClusterCalls calls = new ClusterCalls(cluster, cluster, InstantSource.system(), seen -> {});
    private final LiveReader live = new LiveReader(cluster, () -> 0, seen -> {});

    @Test
    void aListNeedsToBePermittedAndNoChange() {
        assertAdvice(() -> live.all(Kind.VOLUME_ATTACHMENT), "permit the controller to list VolumeAttachment objects");
    }

    @Test
    void soDoesAReadOrADeletionOfAnyKind() {
        assertAdvice(() -> calls.read(SNAPSHOT, ""), "permit the controller to get VolumeSnapshot objects");
        assertAdvice(
                () -> calls.remove(SNAPSHOT, "u", ""),
                "permit the controller to get and delete VolumeSnapshot objects");
    }

    /** A server of Kubernetes forbids these two with the same code and reason as a call without permission. */
    @Test
    void aNewObjectMayAlsoExceedAQuotaOrComeTooLateForItsNamespace() {
        assertAdvice(
                () -> calls.make(Manifests.read("test", """
                        {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: default}, spec: {}}
                        """).get(0)),
                "permit the controller to get and create PersistentVolumeClaim objects, unless the message names a quota or says"
                        + " that the namespace is being terminated");
        assertAdvice(
                () -> calls.make(Manifests.read("test", """
                        {apiVersion: v1, kind: Node, metadata: {name: n}}
                        """).get(0)),
                "permit the controller to get and create Node objects");
    }

    @Test
    void aWriteNamesTheKindsThatItChanges() {
        ObjectWrite status = new ObjectWrite(SNAPSHOT, "u", "1", true, List.of(FieldChange.set("x", "status", "x")));
        ObjectWrite claim = new ObjectWrite(
                ObjectKey.claim("default", "c"), "u", "1", false, List.of(FieldChange.set("x", "metadata", "x")));
        assertAdvice(
                () -> calls.write(
                        new ClusterWork.Write(
                                "keep s", List.of(claim, status), "", ClusterWork.Kind.WRITE.name(), true),
                        true),
                "permit the controller to get and patch PersistentVolumeClaim and VolumeSnapshot objects and their status");
    }

    private static void assertAdvice(ThrowingCallable call, String advice) {
        VolumeException refused = catchThrowableOfType(VolumeException.class, call);
        assertThat(refused.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(refused.advice()).isEqualTo(advice);
    }

    private static final class Forbidding implements ClusterSource, ClusterWriter {
        @Override
        public Listing list(Kind kind, Selection selection) {
            throw forbidden();
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
            throw forbidden();
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            throw forbidden();
        }

        @Override
        public ApiObject create(ApiObject object) {
            throw forbidden();
        }

        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            throw forbidden();
        }

        @Override
        public void delete(ObjectKey key, Preconditions preconditions) {
            throw forbidden();
        }

        private static ClusterException forbidden() {
            return new ClusterException(Reason.FORBIDDEN, "no");
        }
    }
}
