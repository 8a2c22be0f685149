package io.volume4j.core.control.schedule;

import static io.volume4j.core.control.schedule.GivenCluster.boundClaim;
import static io.volume4j.core.control.schedule.GivenCluster.capacity;
import static io.volume4j.core.control.schedule.GivenCluster.claim;
import static io.volume4j.core.control.schedule.GivenCluster.driverThatTracksCapacity;
import static io.volume4j.core.control.schedule.GivenCluster.limit;
import static io.volume4j.core.control.schedule.GivenCluster.node;
import static io.volume4j.core.control.schedule.GivenCluster.pod;
import static io.volume4j.core.control.schedule.GivenCluster.volume;
import static io.volume4j.core.control.schedule.GivenCluster.waitingClass;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.grants.AttachLimitKey;
import io.volume4j.core.volumes.VolumeRefusal.Reason;
import io.volume4j.spi.model.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of the filter, one by one; reference section 4. */
class NodeFilterTest {
    private final GivenCluster cluster = new GivenCluster().given(node("n1", "zone: a") + node("n2", "zone: b"));

    // What no node can change.

    @Test
    void refusesEverywhereWhatNoNodeCanChange() {
        cluster.given(waitingClass("wait", "d.example.com")
                + "---\n{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: now}, provisioner: d.example.com}\n"
                + claim("immediate", "now", "1Gi")
                + claim("classless", "", "1Gi")
                + boundClaim("dangling", "gone")
                + "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: lost}, spec: {accessModes: [ReadWriteOnce]}, status: {phase: Lost}}\n"
                + "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: going, deletionTimestamp: '2026-01-31T12:00:00Z'}, spec: {accessModes: [ReadWriteOnce]}}\n"
                + claim("p6-data", "wait", "1Gi")
                + pod("p1", "missing")
                + pod("p2", "immediate")
                + pod("p3", "classless")
                + pod("p4", "lost")
                + pod("p5", "going")
                + "---\n{apiVersion: v1, kind: Pod, metadata: {name: p6}, spec: {volumes: [{name: data, ephemeral: {volumeClaimTemplate: {spec: {}}}}]}}\n"
                + pod("p7", "dangling")
                + "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: held, annotations: {volume4j.io/held-by-move: m/u-m}}, spec: {accessModes: [ReadWriteOnce]}}\n"
                + pod("p8", "held"));

        assertThat(everywhere("p1")).containsExactly(Reason.CLAIM_NOT_FOUND);
        assertThat(everywhere("p2")).containsExactly(Reason.CLAIM_UNBOUND);
        assertThat(everywhere("p3")).containsExactly(Reason.CLAIM_UNBOUND);
        assertThat(everywhere("p4")).containsExactly(Reason.CLAIM_LOST);
        assertThat(everywhere("p5")).containsExactly(Reason.CLAIM_DELETING);
        assertThat(everywhere("p6")).containsExactly(Reason.CLAIM_FOREIGN);
        assertThat(everywhere("p7")).containsExactly(Reason.VOLUME_NOT_FOUND);
        assertThat(everywhere("p8")).containsExactly(Reason.CLAIM_HELD);
    }

    @Test
    void saysSoOfANodeThatIsNotThere() {
        cluster.given(pod("p"));

        assertThat(cluster.refusals("p", "n1", "n9")).isEqualTo(Map.of("n9", List.of(Reason.NODE_NOT_FOUND)));
    }

    @Test
    void takesAPodWithoutClaimsAnywhere() {
        cluster.given(pod("p"));

        assertThat(cluster.fitting("p", "n2", "n1")).containsExactly("n2", "n1");
    }

    // Volumes that claims have.

    @Test
    void goesWhereTheBoundVolumeIs() {
        cluster.given(volume("v", "", "1Gi", "zone=a") + boundClaim("c", "v") + pod("p", "c"));

        assertThat(cluster.refusals("p", "n1", "n2")).isEqualTo(Map.of("n2", List.of(Reason.NODE_AFFINITY)));
    }

    /** Another program may have written the plugin's name twice. */
    @Test
    void goesWhereTheDriversLabelIsOnNodesThatListTheInTreePluginOfTheVolume() {
        String label = "topology.ebs.csi.aws.com/zone: a";
        cluster.given(node("n3", label)
                + node("n4", label)
                + "---\n{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: n3, annotations:"
                + " {storage.alpha.kubernetes.io/migrated-plugins: 'kubernetes.io/aws-ebs,kubernetes.io/aws-ebs'}}, spec:"
                + " {drivers: []}}\n"
                + volume("v", "", "1Gi", "failure-domain.beta.kubernetes.io/zone=a")
                        .replace(
                                "csi: {driver: d.example.com, volumeHandle: h-v}",
                                "awsElasticBlockStore: {volumeID: vol-1}")
                + boundClaim("c", "v")
                + pod("p", "c"));

        assertThat(cluster.refusals("p", "n3", "n4")).isEqualTo(Map.of("n4", List.of(Reason.NODE_AFFINITY)));
    }

    @Test
    void countsAClaimAsBoundOnlyWhenItsBindingWasCompleted() {
        cluster.given(volume("v", "", "1Gi", "")
                + "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}, spec: {accessModes: [ReadWriteOnce], volumeName: v}}\n"
                + pod("p", "c"));

        assertThat(everywhere("p")).containsExactly(Reason.CLAIM_UNBOUND);
    }

    @ParameterizedTest
    @CsvSource({
        // label of the volume, its value, labels of the node, fits
        "topology.kubernetes.io/zone, a, 'topology.kubernetes.io/zone: a', true",
        "topology.kubernetes.io/zone, a, 'topology.kubernetes.io/zone: b', false",
        "topology.kubernetes.io/zone, a__b, 'topology.kubernetes.io/zone: b', true",
        "topology.kubernetes.io/zone, a__b, 'topology.kubernetes.io/zone: c', false",
        "failure-domain.beta.kubernetes.io/zone, a, 'topology.kubernetes.io/zone: a', true",
        "topology.kubernetes.io/zone, a, 'failure-domain.beta.kubernetes.io/zone: a', true",
        "topology.kubernetes.io/zone, a, 'failure-domain.beta.kubernetes.io/zone: a, topology.kubernetes.io/zone: b', false",
        "topology.kubernetes.io/region, r, 'topology.kubernetes.io/region: r', true",
        "topology.kubernetes.io/region, r, 'topology.kubernetes.io/region: s', false",
        // A node that says where it is but not in this respect is not there; one that says nothing may be.
        "topology.kubernetes.io/region, r, 'topology.kubernetes.io/zone: a', false",
        "topology.kubernetes.io/zone, a, '', true",
        "unrelated, a, 'topology.kubernetes.io/zone: b', true",
    })
    void keepsToTheZoneThatAVolumeHasByItsLabels(String label, String value, String labels, boolean fits) {
        cluster.given(node("here", labels)
                + "---\n{apiVersion: v1, kind: PersistentVolume, metadata: {name: v, labels: {" + label + ": " + value
                + "}}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], nfs: {server: s, path: /p}}}\n"
                + boundClaim("c", "v")
                + pod("p", "c"));

        assertThat(cluster.refusals("p", "here")).isEqualTo(fits ? Map.of() : Map.of("here", List.of(Reason.ZONE)));
    }

    // Exclusive use.

    @Test
    void givesAClaimForOnePodToOnePod() {
        cluster.given(volume("v", "", "1Gi", "")
                + boundClaim("c", "v", "ReadWriteOncePod")
                + pod("p", "c")
                + pod("first", "c"));
        assertThat(cluster.fitting("p", "n1", "n2")).as("no pod has it").hasSize(2);

        assertThat(cluster.reserve("first", "n1")).isPresent();

        assertThat(everywhere("p")).containsExactly(Reason.SINGLE_POD);
        assertThat(Reason.SINGLE_POD.preemptible()).isTrue();
        assertThat(cluster.fitting("first", "n1"))
                .as("its own use is not in its way")
                .containsExactly("n1");
        cluster.remove(Kind.POD, "first");
        assertThat(cluster.fitting("p", "n1", "n2")).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "'gcePersistentDisk: {pdName: d, readOnly: true}', 'gcePersistentDisk: {pdName: d, readOnly: true}', true",
        "'gcePersistentDisk: {pdName: d, readOnly: true}', 'gcePersistentDisk: {pdName: d}', false",
        "'gcePersistentDisk: {pdName: d}', 'gcePersistentDisk: {pdName: e}', true",
        "'awsElasticBlockStore: {volumeID: d, readOnly: true}', 'awsElasticBlockStore: {volumeID: d, readOnly: true}', false",
        "'iscsi: {iqn: q, targetPortal: t, lun: 0}', 'iscsi: {iqn: q, targetPortal: t, lun: 1}', false",
        "'iscsi: {iqn: q, targetPortal: t, lun: 0, readOnly: true}', 'iscsi: {iqn: q, targetPortal: t, lun: 0, readOnly: true}', true",
        "'rbd: {monitors: [m1, m2], image: i}', 'rbd: {monitors: [m2, m3], image: i, pool: rbd}', false",
        "'rbd: {monitors: [m1], image: i}', 'rbd: {monitors: [m2], image: i}', true",
        "'rbd: {monitors: [m1], image: i, readOnly: true}', 'rbd: {monitors: [m1], image: i, readOnly: true}', true",
    })
    void letsAMachineHaveADiskThatPodsNameOnlyOnceUnlessAllRead(String there, String wanted, boolean fits) {
        cluster.given(
                "---\n{apiVersion: v1, kind: Pod, metadata: {name: there}, spec: {nodeName: n1, volumes: [{name: d, "
                        + there
                        + "}]}}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {volumes: [{name: d, "
                        + wanted + "}]}}\n");

        assertThat(cluster.refusals("p", "n1", "n2")).isEqualTo(fits ? Map.of() : Map.of("n1", List.of(Reason.DISK)));
    }

    // Attach limits.

    @Test
    void availableVolumesThatAPodWouldGetCountWhereTheyAre() {
        cluster.given(limit("n1", 1)
                + limit("n2", 2)
                + waitingClass("local", "kubernetes.io/no-provisioner")
                + volume("v1", "local", "1Gi", "")
                + volume("v2", "local", "1Gi", "")
                + claim("a", "local", "1Gi")
                + claim("b", "local", "1Gi")
                + pod("p", "a", "b"));

        assertThat(cluster.refusals("p", "n1", "n2")).isEqualTo(Map.of("n1", List.of(Reason.ATTACH_LIMIT)));
        assertThat(cluster.scores("p", "n1", "n2")).containsOnlyKeys("n2");
        assertThat(cluster.reserve("p", "n1")).isEmpty();
        assertThat(cluster.reserve("p", "n2")).isPresent();
    }

    @Test
    void countsEveryVolumeOfANodeOnce() {
        cluster.given(limit("n1", 2)
                + volume("v1", "", "1Gi", "") + boundClaim("c1", "v1")
                + volume("v2", "", "1Gi", "") + boundClaim("c2", "v2")
                + volume("v3", "", "1Gi", "") + boundClaim("c3", "v3")
                + "---\n{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {nodeName: n1, volumes: [{name: x, persistentVolumeClaim: {claimName: c1}}]}}\n"
                + "---\n{apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {nodeName: n1, volumes: [{name: x, persistentVolumeClaim: {claimName: c1}}]}}\n"
                + "---\n{apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: va}, spec: {attacher: d.example.com, nodeName: n1, source: {persistentVolumeName: v1}}}\n"
                + pod("p", "c2")
                + pod("q", "c2", "c3")
                + pod("r", "c1"));

        assertThat(cluster.fitting("p", "n1"))
                .as("two pods and an attachment of v1 are one volume")
                .containsExactly("n1");
        assertThat(cluster.refusals("q", "n1", "n2")).isEqualTo(Map.of("n1", List.of(Reason.ATTACH_LIMIT)));

        cluster.reserve("p", "n1");
        assertThat(cluster.refusals("q", "n1")).isEqualTo(Map.of("n1", List.of(Reason.ATTACH_LIMIT)));
        assertThat(cluster.fitting("r", "n1"))
                .as("it brings nothing new to a full node")
                .containsExactly("n1");
    }

    @Test
    void keepsCountingAVolumeThatIsAttachedAlthoughItsPodHasGone() {
        cluster.given(limit("n1", 1)
                + volume("v1", "", "1Gi", "")
                + volume("v2", "", "1Gi", "") + boundClaim("c2", "v2")
                + "---\n{apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: va}, spec: {attacher: d.example.com, nodeName: n1, source: {persistentVolumeName: v1}}}\n"
                + pod("p", "c2"));
        assertThat(cluster.refusals("p", "n1")).isEqualTo(Map.of("n1", List.of(Reason.ATTACH_LIMIT)));

        cluster.remove(Kind.VOLUME_ATTACHMENT, "va");

        assertThat(cluster.fitting("p", "n1")).containsExactly("n1");
    }

    /** The node that the driver refuses is full, although its limit says otherwise. */
    @Test
    void keepsFurtherVolumesAwayFromANodeWhereTheDriverRefusesOneForWantOfRoom() {
        String refused =
                "---\n{apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: va}, spec: {attacher:"
                        + " d.example.com, nodeName: n1, source: {persistentVolumeName: v1}}, status: {attached: %s, attachError: {message: no room, errorCode: %d}}}\n";
        cluster.given(limit("n1", 10)
                + volume("v1", "", "1Gi", "")
                + boundClaim("c1", "v1")
                + volume("v2", "", "1Gi", "")
                + boundClaim("c2", "v2")
                + refused.formatted(false, 8)
                + pod("p", "c1")
                + pod("q", "c2"));
        assertThat(cluster.refusals("q", "n1", "n2")).isEqualTo(Map.of("n1", List.of(Reason.ATTACH_LIMIT)));
        assertThat(cluster.fitting("p", "n1")).as("it brings nothing new").containsExactly("n1");

        cluster.given(refused.formatted(false, 13));
        assertThat(cluster.fitting("q", "n1")).as("failed for another reason").containsExactly("n1");

        cluster.given(refused.formatted(false, 8));
        assertThat(cluster.fitting("q", "n1")).isEmpty();
        cluster.given(refused.formatted(true, 8));
        assertThat(cluster.fitting("q", "n1")).as("attached since").containsExactly("n1");

        cluster.given(refused.formatted(false, 8));
        assertThat(cluster.fitting("q", "n1")).isEmpty();
        cluster.remove(Kind.VOLUME_ATTACHMENT, "va");
        assertThat(cluster.fitting("q", "n1")).as("given up").containsExactly("n1");
    }

    /** Its driver attaches it, like the volume of a claim. */
    @Test
    void countsAVolumeInAPodsSpecThatADriverHandlesNow() {
        String inline =
                "---\n{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {nodeName: '%s', volumes: [{name: v, cinder: {volumeID: %s}}]}}\n";
        cluster.given(limit("n1", 1).replace("d.example.com", "cinder.csi.openstack.org")
                + inline.formatted("first", "n1", "disk-1")
                + inline.formatted("other", "", "disk-2")
                + inline.formatted("same", "", "disk-1")
                + "---\n{apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], cinder: {volumeID: disk-3}}}\n"
                + boundClaim("c", "v")
                + pod("claims", "c"));

        assertThat(cluster.refusals("other", "n1", "n2")).isEqualTo(Map.of("n1", List.of(Reason.ATTACH_LIMIT)));
        assertThat(cluster.refusals("claims", "n1", "n2")).isEqualTo(Map.of("n1", List.of(Reason.ATTACH_LIMIT)));
        assertThat(cluster.fitting("same", "n1")).as("it brings nothing new").containsExactly("n1");

        cluster.remove(Kind.POD, "first");
        assertThat(cluster.fitting("other", "n1")).containsExactly("n1");
        assertThat(cluster.reserve("other", "n1")).isPresent();
        assertThat(cluster.fitting("claims", "n1", "n2")).containsExactly("n2");
    }

    @Test
    void aReservedVolumeThatAFullNodeHasAlreadyIsNotOneMore() {
        cluster.given(limit("n1", 1)
                + waitingClass("wait", "d.example.com")
                + volume("v1", "wait", "1Gi", "")
                        .replace("spec: {", "spec: {claimRef: {namespace: default, name: c1}, ")
                + claim("c1", "wait", "1Gi")
                + claim("c2", "wait", "1Gi")
                + "---\n{apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: va}, spec: {attacher: d.example.com, nodeName: n1, source: {persistentVolumeName: v1}}}\n"
                + pod("p", "c1")
                + pod("q", "c1", "c2"));

        assertThat(cluster.fitting("p", "n1")).containsExactly("n1");
        assertThat(cluster.refusals("q", "n1")).isEqualTo(Map.of("n1", List.of(Reason.ATTACH_LIMIT)));
    }

    @Test
    void countsAVolumeThatIsStillToBeMadeAsOneMore() {
        cluster.given(limit("n1", 1)
                + waitingClass("wait", "d.example.com")
                + claim("c1", "wait", "1Gi")
                + claim("c2", "wait", "1Gi")
                + pod("p", "c1")
                + pod("q", "c1", "c2"));

        assertThat(cluster.fitting("p", "n1")).containsExactly("n1");
        assertThat(cluster.refusals("q", "n1")).isEqualTo(Map.of("n1", List.of(Reason.ATTACH_LIMIT)));
    }

    @Test
    void takesTheLimitFromTheNodeWhereItsDriverSaysNothing() {
        cluster.given(
                "---\n{apiVersion: v1, kind: Node, metadata: {name: n3}, status: {allocatable: {attachable-volumes-csi-d.example.com: 1}}}\n"
                        + volume("v1", "", "1Gi", "") + boundClaim("c1", "v1")
                        + volume("v2", "", "1Gi", "") + boundClaim("c2", "v2")
                        + pod("p", "c1", "c2"));

        assertThat(cluster.refusals("p", "n1", "n3")).isEqualTo(Map.of("n3", List.of(Reason.ATTACH_LIMIT)));
        cluster.given(limit("n3", 2));
        assertThat(cluster.fitting("p", "n3"))
                .as("the driver's own word counts")
                .containsExactly("n3");
    }

    @Test
    void findsTheLimitOfADriverWhoseNameTheNodeShortens() {
        String driver = "named-disk.csi.cloud-director.example.com";
        cluster.given((node("n3", "") + volume("v1", "", "1Gi", "") + volume("v2", "", "1Gi", ""))
                        .replace("d.example.com", driver)
                        .replace(
                                "labels: {}}",
                                "labels: {}}, status: {allocatable: {" + AttachLimitKey.of(driver) + ": 1}}")
                + boundClaim("c1", "v1")
                + boundClaim("c2", "v2")
                + pod("p", "c1", "c2")
                + pod("q", "c1"));

        assertThat(cluster.refusals("p", "n1", "n3")).isEqualTo(Map.of("n3", List.of(Reason.ATTACH_LIMIT)));
        assertThat(cluster.fitting("q", "n3")).containsExactly("n3");
    }

    // Claims that wait.

    @Test
    void findsAnAvailableVolumeForAClaimThatWaits() {
        cluster.given(waitingClass("local", "kubernetes.io/no-provisioner")
                + volume("small", "local", "1Gi", "zone=a")
                + volume("large", "local", "10Gi", "zone=b")
                + claim("c", "local", "5Gi")
                + pod("p", "c"));

        assertThat(cluster.refusals("p", "n1", "n2")).isEqualTo(Map.of("n1", List.of(Reason.NO_VOLUME)));
        assertThat(cluster.reserve("p", "n2").orElseThrow().claims().get(0).volume())
                .isEqualTo("large");
    }

    @Test
    void promisesNoVolumeThatIsInAnotherZoneByItsLabels() {
        cluster.given(node("n3", "topology.kubernetes.io/zone: a")
                + node("n4", "topology.kubernetes.io/zone: b")
                + waitingClass("local", "kubernetes.io/no-provisioner")
                + volume("v", "local", "1Gi", "")
                        .replace("name: v", "name: v, labels: {topology.kubernetes.io/zone: b}")
                + claim("c", "local", "1Gi")
                + pod("p", "c"));

        assertThat(cluster.refusals("p", "n3", "n4")).isEqualTo(Map.of("n3", List.of(Reason.NO_VOLUME)));
        assertThat(cluster.reserve("p", "n3")).isEmpty();
        assertThat(cluster.reserve("p", "n4").orElseThrow().claims().get(0).volume())
                .isEqualTo("v");
    }

    @Test
    void givesTheClaimsOfAPodDifferentVolumesTheSmallestFirst() {
        cluster.given(waitingClass("local", "kubernetes.io/no-provisioner")
                + volume("v3", "local", "3Gi", "zone=a")
                + volume("v9", "local", "9Gi", "zone=a")
                + volume("w9", "local", "9Gi", "zone=b")
                + claim("big", "local", "2Gi")
                + claim("little", "local", "1Gi")
                + pod("p", "big", "little"));

        assertThat(cluster.refusals("p", "n1", "n2")).isEqualTo(Map.of("n2", List.of(Reason.NO_VOLUME)));
        assertThat(cluster.reserve("p", "n1").orElseThrow().claims())
                .extracting(claim -> claim.claim().name() + " " + claim.volume())
                .containsExactly("little v3", "big v9");
    }

    @Test
    void doesNotPromiseAVolumeTwice() {
        cluster.given(waitingClass("local", "kubernetes.io/no-provisioner")
                + volume("v", "local", "1Gi", "")
                + claim("c1", "local", "1Gi")
                + claim("c2", "local", "1Gi")
                + pod("p1", "c1")
                + pod("p2", "c2"));

        cluster.reserve("p1", "n1");

        assertThat(cluster.fitting("p2", "n1", "n2")).isEmpty();
        assertThat(cluster.reserve("p2", "n1")).isEmpty();
        cluster.unreserve("p1");
        assertThat(cluster.fitting("p2", "n1", "n2")).containsExactly("n1", "n2");
    }

    @Test
    void doesNotGiveAwayAVolumeWhoseClaimIsKnownToBeBound() {
        cluster.given(waitingClass("local", "kubernetes.io/no-provisioner")
                + volume("v", "local", "1Gi", "")
                + claim("c", "local", "1Gi")
                + pod("p", "c"));
        assertThat(cluster.fitting("p", "n1")).containsExactly("n1");

        cluster.given(boundClaim("other", "v"));

        assertThat(cluster.refusals("p", "n1"))
                .as("that the volume is not available any more has not been heard yet")
                .isEqualTo(Map.of("n1", List.of(Reason.NO_VOLUME)));
        cluster.given(boundClaim("other", "v").replace("phase: Bound", "phase: Lost"));
        assertThat(cluster.fitting("p", "n1"))
                .as("a new one of the name of the one that was lost")
                .containsExactly("n1");
        cluster.given(boundClaim("other", "v"));
        cluster.remove(Kind.PERSISTENT_VOLUME_CLAIM, "other");
        assertThat(cluster.fitting("p", "n1")).containsExactly("n1");
    }

    @Test
    void letsAReservedVolumeBeatAnyOther() {
        cluster.given(waitingClass("local", "kubernetes.io/no-provisioner")
                + volume("free", "local", "1Gi", "zone=b")
                + volume("mine", "local", "9Gi", "zone=a")
                        .replace("capacity:", "claimRef: {namespace: default, name: c}, capacity:")
                + claim("c", "local", "1Gi")
                + pod("p", "c"));

        assertThat(cluster.refusals("p", "n1", "n2")).isEqualTo(Map.of("n2", List.of(Reason.NO_VOLUME)));
        assertThat(cluster.reserve("p", "n1").orElseThrow().claims().get(0).volume())
                .isEqualTo("mine");
    }

    @Test
    void makesAVolumeWhereTheClassAllowsIt() {
        cluster.given(
                "---\n{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: wait}, provisioner: d.example.com, "
                        + "volumeBindingMode: WaitForFirstConsumer, allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [b]}]}]}\n"
                        + claim("c", "wait", "1Gi") + pod("p", "c"));

        assertThat(cluster.refusals("p", "n1", "n2")).isEqualTo(Map.of("n1", List.of(Reason.NO_VOLUME)));
        assertThat(cluster.reserve("p", "n2").orElseThrow().claims().get(0).volume())
                .isEmpty();
    }

    @Test
    void makesACopyOfASnapshotOnlyWhereItCanBeReached() {
        cluster.given(waitingClass("wait", "d.example.com")
                + SnapshotOf.zone("b")
                + SnapshotOf.claim("c", "wait")
                + pod("p", "c"));

        assertThat(cluster.refusals("p", "n1", "n2")).isEqualTo(Map.of("n1", List.of(Reason.SNAPSHOT)));
        assertThat(cluster.reserve("p", "n2")).isPresent();
        assertThat(cluster.reserve("p", "n1")).isEmpty();
    }

    @Test
    void makesACopyOfASnapshotThatSaysNothingAnywhere() {
        cluster.given(waitingClass("wait", "d.example.com") + SnapshotOf.claim("c", "wait") + pod("p", "c"));
        assertThat(cluster.refusals("p", "n1", "n2")).isEmpty();
    }

    @Test
    void staysWithTheNodeThatWasChosenForAClaim() {
        cluster.given(waitingClass("wait", "d.example.com")
                + claim("c", "wait", "1Gi")
                        .replace("{name: c}", "{name: c, annotations: {volume.kubernetes.io/selected-node: n2}}")
                + pod("p", "c"));

        assertThat(cluster.refusals("p", "n1", "n2")).isEqualTo(Map.of("n1", List.of(Reason.CLAIM_ELSEWHERE)));
    }

    @Test
    void bringsPodsThatShareAWaitingClaimTogether() {
        cluster.given(
                waitingClass("wait", "d.example.com") + claim("c", "wait", "1Gi") + pod("p", "c") + pod("q", "c"));

        cluster.reserve("p", "n2");

        assertThat(cluster.refusals("q", "n1", "n2")).isEqualTo(Map.of("n1", List.of(Reason.CLAIM_ELSEWHERE)));
    }

    // Capacity.

    @Test
    void asksForCapacityOnlyWhereTheDriverPublishesIt() {
        cluster.given(waitingClass("wait", "d.example.com") + claim("c", "wait", "10Gi") + pod("p", "c"));
        assertThat(cluster.fitting("p", "n1", "n2")).hasSize(2);

        cluster.given(driverThatTracksCapacity()
                + capacity("pool-a", "wait", "a", "20Gi")
                + capacity("pool-b", "wait", "b", "5Gi"));

        assertThat(cluster.refusals("p", "n1", "n2")).isEqualTo(Map.of("n2", List.of(Reason.CAPACITY)));
    }

    @ParameterizedTest
    @CsvSource({
        "'capacity: 10Gi', true",
        "'capacity: 9Gi', false",
        "'maximumVolumeSize: 10Gi', true",
        "'maximumVolumeSize: 9Gi', false",
        "'capacity: 100Gi, maximumVolumeSize: 9Gi', false",
        "'capacity: 9Gi, maximumVolumeSize: 100Gi', false",
        "'capacity: 10Gi, maximumVolumeSize: 10Gi', true",
        "'', false",
    })
    void readsWhatThePoolSays(String sizes, boolean fits) {
        cluster.given(waitingClass("wait", "d.example.com") + driverThatTracksCapacity() + claim("c", "wait", "10Gi")
                + pod("p", "c")
                + "---\n{apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, metadata: {name: pool}, storageClassName: wait, nodeTopology: {}, "
                + sizes + "}\n");

        assertThat(cluster.fitting("p", "n1")).hasSize(fits ? 1 : 0);
    }

    @Test
    void doesNotReachAPoolWithoutATopology() {
        cluster.given(
                waitingClass("wait", "d.example.com") + driverThatTracksCapacity() + claim("c", "wait", "1Gi")
                        + pod("p", "c")
                        + "---\n{apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, metadata: {name: pool}, storageClassName: wait, capacity: 10Gi}\n");

        assertThat(cluster.refusals("p", "n1")).isEqualTo(Map.of("n1", List.of(Reason.CAPACITY)));
    }

    @Test
    void sumsWhatTheClaimsOfAPodTakeFromOnePool() {
        cluster.given(waitingClass("wait", "d.example.com")
                + driverThatTracksCapacity()
                + capacity("pool", "wait", "a", "10Gi")
                + claim("c1", "wait", "6Gi")
                + claim("c2", "wait", "5Gi")
                + claim("c3", "wait", "4Gi")
                + pod("p", "c1", "c2")
                + pod("q", "c1", "c3"));

        assertThat(cluster.refusals("p", "n1")).isEqualTo(Map.of("n1", List.of(Reason.CAPACITY)));
        assertThat(cluster.fitting("q", "n1")).containsExactly("n1");
    }

    // Score.

    @Test
    void prefersTheNodeThatIsLeftWithTheMost() {
        cluster.given(waitingClass("wait", "d.example.com")
                + driverThatTracksCapacity()
                + capacity("pool-a", "wait", "a", "100Gi")
                + capacity("pool-b", "wait", "b", "20Gi")
                + claim("c", "wait", "10Gi")
                + pod("p", "c"));

        assertThat(cluster.scores("p", "n1", "n2")).isEqualTo(Map.of("n1", 90, "n2", 50));
    }

    @Test
    void looksAtAvailableVolumesFirst() {
        cluster.given(waitingClass("wait", "d.example.com")
                + driverThatTracksCapacity()
                + capacity("pool-a", "wait", "a", "100Gi")
                + volume("v", "wait", "20Gi", "zone=a")
                + claim("c1", "wait", "10Gi")
                + claim("c2", "wait", "30Gi")
                + pod("p", "c1", "c2"));

        assertThat(cluster.scores("p", "n1", "n2")).as("half of v").isEqualTo(Map.of("n1", 50));
    }

    private List<Reason> everywhere(String pod) {
        Map<String, List<Reason>> refusals = cluster.refusals(pod, "n1", "n2");
        assertThat(refusals.keySet()).containsExactly("n1", "n2");
        assertThat(refusals.get("n2")).isEqualTo(refusals.get("n1"));
        return List.copyOf(java.util.Objects.requireNonNull(refusals.get("n1")));
    }
}
