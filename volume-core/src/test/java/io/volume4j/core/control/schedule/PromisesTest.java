package io.volume4j.core.control.schedule;

import static io.volume4j.core.control.schedule.GivenCluster.claim;
import static io.volume4j.core.control.schedule.GivenCluster.limit;
import static io.volume4j.core.control.schedule.GivenCluster.node;
import static io.volume4j.core.control.schedule.GivenCluster.pod;
import static io.volume4j.core.control.schedule.GivenCluster.volume;
import static io.volume4j.core.control.schedule.GivenCluster.waitingClass;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.volumes.VolumeRefusal.Reason;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a promise is worth to the pod that has it, and what becomes of it when the cluster decides otherwise. */
class PromisesTest {
    private final GivenCluster cluster = new GivenCluster().given(node("n1", "zone: a") + node("n2", "zone: b"));

    @Test
    void aPodsOwnDiskIsNotInItsWay() {
        cluster.given("""
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {volumes: [{name: d, gcePersistentDisk: {pdName: d}}]}}
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: q}, spec: {volumes: [{name: d, gcePersistentDisk: {pdName: d}}]}}
                """);

        assertThat(cluster.reserve("p", "n1")).isPresent();

        assertThat(cluster.fitting("p", "n1", "n2")).containsExactly("n1", "n2");
        assertThat(cluster.refusals("q", "n1", "n2")).isEqualTo(Map.of("n1", List.of(Reason.DISK)));
    }

    @Test
    void whatAPodWasPromisedStandsAlthoughTheNodeCanHaveFewerVolumesSince() {
        cluster.given(limit("n1", 2)
                + waitingClass("wait", "d.example.com")
                + claim("c1", "wait", "1Gi")
                + claim("c2", "wait", "1Gi")
                + pod("p", "c1", "c2"));
        assertThat(cluster.reserve("p", "n1")).isPresent();

        cluster.given(limit("n1", 1));

        assertThat(cluster.fitting("p", "n1"))
                .as("it adds nothing to what is counted there")
                .containsExactly("n1");
        assertThat(cluster.reserve("p", "n1")).as("the same again").isPresent();
        cluster.unreserve("p");
        assertThat(cluster.refusals("p", "n1")).isEqualTo(Map.of("n1", List.of(Reason.ATTACH_LIMIT)));
    }

    @Test
    void aVolumeThatTheClusterGaveAnotherClaimStaysPromisedToThatOne() {
        String volume = volume("v", "local", "1Gi", "");
        cluster.given(waitingClass("local", "kubernetes.io/no-provisioner")
                + volume
                + claim("c1", "local", "1Gi")
                + claim("c2", "local", "1Gi")
                + claim("c3", "local", "1Gi")
                + pod("p1", "c1")
                + pod("p2", "c2")
                + pod("p3", "c3"));
        cluster.reserve("p1", "n1");
        cluster.given(volume.replace("capacity:", "claimRef: {namespace: default, name: c2}, capacity:"));
        assertThat(cluster.reserve("p2", "n1").orElseThrow().claims().get(0).volume())
                .isEqualTo("v");

        cluster.unreserve("p1");
        cluster.given(volume);

        assertThat(cluster.fitting("p3", "n1")).isEmpty();
        cluster.unreserve("p2");
        assertThat(cluster.fitting("p3", "n1")).containsExactly("n1");
    }
}
