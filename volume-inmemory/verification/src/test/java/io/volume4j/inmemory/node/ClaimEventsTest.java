package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What changes of claims do to a pod with many volumes: only what a change concerns is resolved. */
class ClaimEventsTest {
    private final NodeHarness node = new NodeHarness(1);

    /** Counts how often a volume is resolved; mounts nothing. */
    private static final class Counted implements VolumePlugin {
        private int resolved;

        @Override
        public String name() {
            return "counted";
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return spec.source() instanceof CsiSource source && source.driver().equals("counted");
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            resolved++;
            return spec.name();
        }
    }

    @Test
    void eachResolvesOneVolumeOfThePod() {
        int volumes = 200;
        Counted counted = new Counted();
        List<String> names = names(volumes);
        names.forEach(name -> bound(name, "counted"));
        node.pod("a", names.toArray(String[]::new));
        node.plugin(counted);
        node.start();
        node.world.runReady();
        int before = counted.resolved;

        for (String name : names) {
            node.cluster.apply(
                    BoundVolumes.withResizeStatus(node.storedClaim(name), ResizeStatus.CONTROLLER_IN_PROGRESS));
            node.world.runReady();
        }

        assertThat(counted.resolved - before).isBetween(volumes, 2 * volumes);
    }

    @Test
    void newsOfAPersistentVolumeResolveItsClaimsVolumeOnly() {
        int volumes = 100;
        Counted counted = new Counted();
        List<String> names = names(volumes);
        names.forEach(name -> bound(name, "counted"));
        node.pod("a", names.toArray(String[]::new));
        node.plugin(counted);
        node.start();
        node.world.runReady();
        int before = counted.resolved;

        for (String name : names) {
            PersistentVolume volume = node.storedVolume(name);
            node.cluster.remove(volume.key());
            node.world.runReady();
            node.cluster.apply(volume);
            node.world.runReady();
        }

        assertThat(counted.resolved - before).isLessThan(4 * volumes);
    }

    @Test
    void claimsThatAreBoundOneAfterTheOtherMakeThePodWholeInItsOwnOrder() {
        List<String> names = names(40);
        List<PersistentVolumeClaim> claims = new ArrayList<>();
        for (String name : names) {
            node.boundClaim(name, AccessMode.READ_WRITE_MANY);
            claims.add(node.storedClaim(name));
            node.cluster.apply(pending(node.storedClaim(name)));
        }
        node.pod("a", names.toArray(String[]::new));
        node.pod("b", names.subList(5, 30).toArray(String[]::new));
        node.start().settle();
        assertThat(node.calls()).isEmpty();

        for (int i = claims.size() - 1; i >= 0; i--) {
            node.cluster.apply(claims.get(i));
            node.settle();
        }

        assertThat(node.mounted("a").volumes().keySet()).containsExactlyElementsOf(names);
        assertThat(node.mounted("b").volumes().keySet()).containsExactlyElementsOf(names.subList(5, 30));
        node.deletePod("a");
        node.deletePod("b");
        node.settle();
        node.nothingIsLeft();
    }

    @Test
    void aClaimThatGoesLeavesItsMountAndOneMadeAnewIsMountedInItsPlaceOnceItIsFree() {
        List<String> names = names(30);
        names.forEach(node::boundClaim);
        node.pod("a", names.toArray(String[]::new));
        node.start().settle();
        assertThat(node.mounted("a").volumes()).hasSize(30);

        node.cluster.remove(ObjectKey.claim("default", names.get(7)));
        node.settle();

        assertThat(node.explainPod("a").text()).contains("claim default/" + names.get(7) + " does not exist");
        assertThat(node.calls()).noneMatch(call -> call.startsWith("unmount"));

        node.boundClaim(names.get(7));
        node.settle();
        assertThat(node.mounted("a").volumes().keySet()).containsExactlyElementsOf(names);
    }

    @Test
    void oneClaimUnderTwoNamesOfManyIsOneMount() {
        List<String> names = names(30);
        names.forEach(node::boundClaim);
        List<PodVolume> volumes = new ArrayList<>();
        names.forEach(name -> volumes.add(new PodVolume(name, new ClaimSource(name, false))));
        volumes.add(new PodVolume("again", new ClaimSource(names.get(3), true)));
        node.cluster.apply(node.pod("a", volumes, Pod.SecurityContext.none()));
        node.start().settle();

        node.cluster.apply(
                BoundVolumes.withResizeStatus(node.storedClaim(names.get(3)), ResizeStatus.CONTROLLER_IN_PROGRESS));
        node.settle();

        assertThat(node.mounted("a").volumes()).hasSize(31).containsKey("again");
        assertThat(node.count("mount h-" + names.get(3) + " ")).isOne();
        node.deletePod("a");
        node.settle();
        node.nothingIsLeft();
    }

    private static List<String> names(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add("claim-" + i);
        }
        return names;
    }

    private void bound(String name, String driver) {
        PersistentVolumeClaim claim = BoundVolumes.claim(name, AccessMode.READ_WRITE_ONCE, VolumeMode.FILESYSTEM);
        PersistentVolume volume = BoundVolumes.volume(name, claim, BoundVolumes.SIZE);
        node.cluster.apply(claim);
        node.cluster.apply(new PersistentVolume(
                volume.metadata(),
                new PersistentVolume.Spec(
                        BoundVolumes.SIZE,
                        claim.spec().accessModes(),
                        ReclaimPolicy.RETAIN,
                        "",
                        VolumeMode.FILESYSTEM,
                        ObjectReference.to(claim),
                        List.of(),
                        null,
                        "",
                        CsiSource.of(driver, "h-" + name, "", Map.of())),
                volume.status(),
                volume.unmodeled()));
    }

    private static PersistentVolumeClaim pending(PersistentVolumeClaim claim) {
        PersistentVolumeClaim.Status status = claim.status();
        return new PersistentVolumeClaim(
                claim.metadata(),
                claim.spec(),
                new PersistentVolumeClaim.Status(
                        ClaimPhase.PENDING, status.accessModes(), status.capacity(), Map.of(), Map.of(), ""),
                claim.unmodeled());
    }
}
