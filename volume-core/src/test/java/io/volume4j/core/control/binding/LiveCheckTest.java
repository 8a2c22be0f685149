package io.volume4j.core.control.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.control.host.LiveReader;
import io.volume4j.core.control.host.Users;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is read for many deletions at once serves them for a short time only. */
class LiveCheckTest {
    private static final PersistentVolume VOLUME =
            (PersistentVolume) Manifests.read("test", """
                    {apiVersion: v1, kind: PersistentVolume, metadata: {name: v, uid: u, resourceVersion: "1"},
                     spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], csi: {driver: d, volumeHandle: h},
                            claimRef: {namespace: ns, name: c, uid: u1}}}
                    """).get(0);
    private static final ApiObject ATTACHMENT = Manifests.read("test", """
            {apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: a},
             spec: {attacher: d, nodeName: n1, source: {persistentVolumeName: v}}}
            """).get(0);

    private final List<ApiObject> attachments = new ArrayList<>();
    private final List<ApiObject> news = new ArrayList<>();
    private ApiObject stored = VOLUME;
    private long now;
    private int listings;
    private final LiveReader reader = new LiveReader(new Store(), () -> now, news::add);
    private final LiveCheck check = new LiveCheck(reader, new Storage(CsiMigration.standard()));

    @Test
    void goesByWhatWasReadForAllWhileItIsFresh() {
        Users read = reader.users(At.NODES);
        int before = listings;
        now = read.ended() + LiveCheck.FRESH.toNanos();

        check.mustBeFree(VOLUME, null, read, 0);

        assertThat(listings).isEqualTo(before);
    }

    @Test
    void readsForItselfOnceThatIsNoLongerFresh() {
        Users read = reader.users(At.NODES);
        attachments.add(ATTACHMENT);
        now = read.ended() + LiveCheck.FRESH.toNanos() + 1;

        assertThatThrownBy(() -> check.mustBeFree(VOLUME, null, read, 0))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("n1");
    }

    @Test
    void readsForItselfWhereNothingWasReadForIt() {
        attachments.add(ATTACHMENT);

        assertThatThrownBy(() -> check.mustBeFree(VOLUME, null, null, now)).hasMessageContaining("n1");
    }

    @Test
    void callsThatWaitedTooLongShareWhatOneOfThemReads() {
        Users read = reader.users(At.NODES);
        int before = listings;
        long decided = now;
        now = read.ended() + LiveCheck.FRESH.toNanos() + 1;

        for (int call = 0; call < 100; call++) {
            check.mustBeFree(VOLUME, null, read, decided);
        }

        assertThat(listings - before).as("one of attachments, one of nodes").isEqualTo(2);
    }

    @Test
    void neverGoesByWhatAnotherCallReadBeforeItWasDecided() {
        check.mustBeFree(VOLUME, null, null, now);
        attachments.add(ATTACHMENT);
        now++;

        assertThatThrownBy(() -> check.mustBeFree(VOLUME, null, null, now)).hasMessageContaining("n1");
    }

    @Test
    void aReadServesDecisionsFromBeforeItsFirstListingAndIsFreshFromItsEnd() {
        Users read = new LiveReader(new Store(), () -> now++, news::add).users(At.NODES);

        assertThat(read.begun()).isZero();
        assertThat(read.ended()).isGreaterThan(read.begun());
    }

    @Test
    void refusesWhereTheClaimThatWasGoneIsThereAgain() {
        stored = claim("u1", "");

        assertThatThrownBy(() -> check.mustHaveNoClaim(VOLUME, true))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("PersistentVolumeClaim/ns/c")
                .hasMessageContaining("nothing is destroyed");
        assertThat(news).as("so that the plan is made again").containsExactly(stored);
    }

    @Test
    void anotherClaimOfTheNameIsNoReason() {
        stored = claim("u2", "v");

        assertThatCode(() -> check.mustHaveNoClaim(VOLUME, true)).doesNotThrowAnyException();
    }

    @Test
    void aClaimThatHasAnotherVolumeIsAReasonOnlyIfItWasTakenForGone() {
        stored = claim("u1", "w");

        assertThatCode(() -> check.mustHaveNoClaim(VOLUME, false)).doesNotThrowAnyException();
        assertThatThrownBy(() -> check.mustHaveNoClaim(VOLUME, true)).isInstanceOf(VolumeException.class);

        stored = claim("u1", "v");
        assertThatThrownBy(() -> check.mustHaveNoClaim(VOLUME, false)).isInstanceOf(VolumeException.class);
    }

    @Test
    void refusesWhereTheSnapshotsContentIsNotBeingDeletedAnyMore() {
        ObjectKey content = new ObjectKey(Kind.VOLUME_SNAPSHOT_CONTENT, "", "s");

        assertThatThrownBy(() -> reader.mustBeDeleting(content, "u")).hasMessageContaining("there again");
        assertThatThrownBy(() -> reader.mustBeDeleting(content, "another")).hasMessageContaining("not there any more");
    }

    private static ApiObject claim(String uid, String volume) {
        return Manifests.read("test", """
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: ns, uid: %s},
                 spec: {accessModes: [ReadWriteOnce], volumeName: "%s", resources: {requests: {storage: 1Gi}}}}
                """.formatted(uid, volume)).get(0);
    }

    private final class Store implements ClusterSource {
        @Override
        public Listing list(Kind kind, Selection selection) {
            listings++;
            now++;
            return new Listing(kind == Kind.VOLUME_ATTACHMENT ? List.copyOf(attachments) : List.of(), "1");
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
            throw new UnsupportedOperationException("nothing is watched");
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            return Optional.of(stored);
        }

        @Override
        public int compareRevisions(String left, String right) {
            return Long.compare(Long.parseLong(left), Long.parseLong(right));
        }
    }
}
