package io.volume4j.core.control.host.facts;

import static io.volume4j.core.control.PlanRow.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.objects.CachePorts;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.StorageClass;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which objects name which others, by what changed. */
class ObjectUsesTest {
    private static final ObjectKey DATA = ObjectKey.claim("a", "data");
    private static final ObjectKey OTHER = ObjectKey.claim("a", "other");

    private final ObjectCache cache = new ObjectCache(
            new Nothing(),
            Map.of(Kind.POD, Selection.all()),
            new CachePorts(Runnable::run, Runnable::run, (delay, task) -> {}, failures -> Duration.ofSeconds(1)));
    private final ObjectUses uses = new ObjectUses(cache);
    private final Map<ObjectKey, ApiObject> known = new LinkedHashMap<>();
    private int revision;

    @Test
    void aClaimNamesItsVolume() {
        is(claim("data", "volumeName: v1"));
        is(claim("other", ""));
        assertThat(uses.claimsOfVolume("v1")).containsExactly(DATA);
        assertThat(uses.claimsOfVolume("")).isEmpty();

        is(claim("data", "volumeName: v2"));

        assertThat(uses.claimsOfVolume("v1")).isEmpty();
        assertThat(uses.claimsOfVolume("v2")).containsExactly(DATA);

        gone(DATA);

        assertThat(uses.claimsOfVolume("v2")).isEmpty();
    }

    @Test
    void aVolumeNamesItsClaim() {
        is(volume("v1", "claimRef: {namespace: a, name: data}"));
        is(volume("v2", "claimRef: {namespace: a, name: data}"));
        is(volume("v3", ""));
        assertThat(uses.volumesByClaim().naming(DATA))
                .extracting(volume -> volume.metadata().name())
                .containsExactly("v1", "v2");

        is(volume("v1", "claimRef: {namespace: a, name: other}"));
        gone(ObjectKey.volume("v2"));

        assertThat(uses.volumesByClaim().naming(DATA)).isEmpty();
        assertThat(uses.volumesByClaim().naming(OTHER))
                .extracting(volume -> volume.metadata().name())
                .containsExactly("v1");
    }

    @Test
    void aVolumeIsShownAsItIsNow() {
        is(volume("v1", "claimRef: {namespace: a, name: data}"));
        is(volume("v2", "claimRef: {namespace: a, name: data}"));
        is(volume("v1", "claimRef: {namespace: a, name: data}, storageClassName: quick"));
        gone(ObjectKey.volume("v2"));
        is(volume("v1", "claimRef: {namespace: a, name: data}, storageClassName: slow"));

        assertThat(uses.volumesByClaim().naming(DATA))
                .extracting(volume -> volume.spec().storageClassName())
                .containsExactly("slow");
    }

    @Test
    void claimsAndVolumesNameTheClassesOfAttributesThatTheyHaveWantOrAreBeingGiven() {
        is(claim("data", "volumeAttributesClassName: wanted", "currentVolumeAttributesClassName: had"));
        is(claim("other", "", "modifyVolumeStatus: {targetVolumeAttributesClassName: given, status: InProgress}"));
        is(volume("v1", "volumeAttributesClassName: had"));

        assertThat(uses.namingAttributesClass("wanted")).containsExactly(DATA);
        assertThat(uses.namingAttributesClass("had")).containsExactly(DATA, ObjectKey.volume("v1"));
        assertThat(uses.namingAttributesClass("given")).containsExactly(OTHER);

        is(claim("data", "volumeAttributesClassName: had"));

        assertThat(uses.namingAttributesClass("wanted")).isEmpty();
        assertThat(uses.namingAttributesClass("had")).containsExactly(DATA, ObjectKey.volume("v1"));
    }

    @Test
    void aPodKeepsItsClaimsOnceItHasANode() {
        is(pod("p2", "nodeName: n1", "persistentVolumeClaim: {claimName: data}"));
        is(pod("p1", "nodeName: n1", "persistentVolumeClaim: {claimName: data}"));
        is(pod("p3", "nodeName: ''", "persistentVolumeClaim: {claimName: data}"));
        is(pod("p4", "nodeName: n1", "persistentVolumeClaim: {claimName: other}"));

        assertThat(uses.podsOfClaim(DATA))
                .containsExactly(ObjectKey.pod("a", "p2"), ObjectKey.pod("a", "p1"), ObjectKey.pod("a", "p3"));
        assertThat(uses.podsKeeping(DATA, pod -> true)).containsExactly("Pod/a/p1", "Pod/a/p2");
        assertThat(uses.podsKeeping(DATA, pod -> pod.metadata().name().equals("p2")))
                .containsExactly("Pod/a/p2");

        gone(ObjectKey.pod("a", "p2"));

        assertThat(uses.podsKeeping(DATA, pod -> true)).containsExactly("Pod/a/p1");
    }

    @Test
    void otherKindsNameNothing() {
        is(object(StorageClass.class, """
                {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: data}, provisioner: mem}
                """));

        assertThat(uses.podsOfClaim(DATA)).isEmpty();
    }

    private void is(ApiObject object) {
        if (object.kind() == Kind.POD) {
            cache.applyOwnWrite(object);
        }
        uses.changed(new ObjectChange(object.key(), known.put(object.key(), object), object));
    }

    private void gone(ObjectKey key) {
        ApiObject before = known.remove(key);
        if (before != null && key.kind() == Kind.POD) {
            cache.applyAbsent(key, before.metadata().uid());
        }
        uses.changed(new ObjectChange(key, before, null));
    }

    private PersistentVolumeClaim claim(String name, String spec) {
        return claim(name, spec, "");
    }

    private PersistentVolumeClaim claim(String name, String spec, String status) {
        return object(
                PersistentVolumeClaim.class,
                """
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: NAME, namespace: a},
                 spec: {SPEC}, status: {STATUS}}
                """.replace("NAME", name).replace("SPEC", spec).replace("STATUS", status));
    }

    private PersistentVolume volume(String name, String spec) {
        return object(PersistentVolume.class, """
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: NAME},
                 spec: {SPEC}}
                """.replace("NAME", name).replace("SPEC", spec));
    }

    private Pod pod(String name, String spec, String source) {
        return object(Pod.class, """
                {apiVersion: v1, kind: Pod, metadata: {name: NAME, namespace: a, uid: u-NAME, resourceVersion: "REVISION"},
                 spec: {SPEC, volumes: [{name: v, SOURCE}]}}
                """.replace("NAME", name)
                .replace("REVISION", Integer.toString(++revision))
                .replace("SPEC", spec)
                .replace("SOURCE", source));
    }

    private static final class Nothing implements ClusterSource {
        @Override
        public Listing list(Kind kind, Selection selection) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int compareRevisions(@Nullable String left, @Nullable String right) {
            return Integer.compare(Integer.parseInt(String.valueOf(left)), Integer.parseInt(String.valueOf(right)));
        }
    }
}
