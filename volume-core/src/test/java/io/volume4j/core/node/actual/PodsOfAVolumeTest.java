package io.volume4j.core.node.actual;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.node.MountState;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One pod or many, both worlds know the same of each, in the order in which they came. */
class PodsOfAVolumeTest {
    private static final VolumeId ID = VolumeId.shared("plugin", "volume");
    private static final VolumePlugin PLUGIN = new VolumePlugin() {
        @Override
        public String name() {
            return "plugin";
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return true;
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return "volume";
        }
    };

    @Test
    void theActualVolumeKeepsOneRowForEachPod() {
        SplittableRandom random = new SplittableRandom(1);
        for (int run = 0; run < 200; run++) {
            ActualVolume volume = new ActualVolume(VolumeRow.unknown(ID, "volume", false));
            Map<String, MountRow> ordinary = new LinkedHashMap<>();
            for (int i = 0; i < 40; i++) {
                String uid = "pod" + random.nextInt(4);
                if (random.nextBoolean()) {
                    MountRow row = row(uid, "name" + i);
                    assertThat(volume.put(row)).isEqualTo(ordinary.put(uid, row) == null);
                } else {
                    assertThat(volume.remove(uid)).isEqualTo(ordinary.remove(uid) != null);
                }
                assertThat(volume.mounts()).containsExactlyElementsOf(ordinary.values());
                assertThat(volume.anyMounts()).isEqualTo(!ordinary.isEmpty());
                for (int pod = 0; pod < 4; pod++) {
                    assertThat(volume.mount("pod" + pod)).isEqualTo(ordinary.get("pod" + pod));
                }
            }
        }
    }

    @Test
    void theVolumesOwnRowStaysWhateverComesAndGoesAtItsMounts() {
        SplittableRandom random = new SplittableRandom(1);
        for (int run = 0; run < 200; run++) {
            VolumeRow row = VolumeRow.unknown(ID, "name0", random.nextBoolean());
            ActualVolume volume = new ActualVolume(row);
            for (int i = 0; i < 40; i++) {
                String uid = "pod" + random.nextInt(3);
                switch (random.nextInt(4)) {
                    case 0, 1 -> volume.put(row(uid, "name" + random.nextInt(2)));
                    case 2 -> volume.remove(uid);
                    default -> {
                        row = random.nextBoolean()
                                ? row.withDevice(MountState.UNCERTAIN)
                                : VolumeRow.unknown(ID, "name" + random.nextInt(2), random.nextBoolean());
                        volume.row(row);
                    }
                }
                assertThat(volume.row()).isEqualTo(row);
            }
        }
    }

    @Test
    void remembersForWhichPodsItIsToBeSetUpAgain() {
        ActualVolume volume = new ActualVolume(VolumeRow.unknown(ID, "volume", false));
        volume.wantRemount("one");
        volume.wantRemount("two");
        volume.remounting("one");
        volume.wantRemount("one");
        volume.remounted("one", true);

        assertThat(volume.remountWanted("one")).as("asked again meanwhile").isTrue();
        volume.remounting("one");
        volume.remounted("one", true);
        assertThat(volume.remountWanted("one")).isFalse();
        volume.remounting("two");
        volume.remounted("two", false);
        assertThat(volume.remountWanted("two")).as("failed").isTrue();
        volume.mounting("two");
        assertThat(volume.remountWanted("two")).isFalse();
        volume.remounting("two");
        volume.forgetRemount("two");
        assertThat(volume.remountWanted("two")).isFalse();
    }

    @Test
    void theDesiredVolumeKnowsWhatEachPodWants() {
        SplittableRandom random = new SplittableRandom(1);
        for (int run = 0; run < 200; run++) {
            DesiredStateOfWorld desired = new DesiredStateOfWorld();
            Map<String, String> ordinary = new LinkedHashMap<>();
            for (int i = 0; i < 40; i++) {
                String uid = "pod" + random.nextInt(4);
                if (random.nextBoolean()) {
                    desired.put(pod(uid, wanted(uid, "name" + i, false)));
                    ordinary.remove(uid);
                    ordinary.put(uid, "name" + i);
                } else {
                    desired.remove(uid);
                    ordinary.remove(uid);
                }
                @Nullable DesiredVolume volume = desired.volume(ID);
                assertThat(volume == null).isEqualTo(ordinary.isEmpty());
                if (volume != null) {
                    Map<String, String> found = new LinkedHashMap<>();
                    volume.uses().forEach(use -> found.put(use.podUid(), use.outerName()));
                    assertThat(found.entrySet()).containsExactlyElementsOf(ordinary.entrySet());
                    for (int pod = 0; pod < 4; pod++) {
                        ResolvedVolume use = volume.use("pod" + pod);
                        assertThat(use == null ? null : use.outerName()).isEqualTo(ordinary.get("pod" + pod));
                    }
                }
            }
        }
    }

    @Test
    void ofTwoNamesOfOnePodTheFirstCountsAndIsReadOnlyOnlyIfBothAre() {
        DesiredStateOfWorld desired = new DesiredStateOfWorld();
        desired.put(pod("one", wanted("one", "a", true), wanted("one", "b", false)));
        desired.put(pod("two", wanted("two", "c", true), wanted("two", "d", true)));
        DesiredVolume volume = Objects.requireNonNull(desired.volume(ID));

        assertThat(volume.uses().stream().map(use -> use.outerName() + " " + use.readOnly()))
                .containsExactly("a false", "c true");
    }

    private static ResolvedVolume wanted(String podUid, String outerName, boolean readOnly) {
        VolumeSpec spec = new VolumeSpec("volume", CsiSource.of("plugin", "", "", Map.of()), null, readOnly);
        return new ResolvedVolume(ID, spec, PLUGIN, podUid, outerName);
    }

    private static ResolvedPod pod(String uid, ResolvedVolume... volumes) {
        Pod pod = new Pod(
                ObjectMeta.named("default", uid).withUid(uid),
                new Pod.Spec("node", List.of(), List.of(), List.of(), Pod.SecurityContext.none(), ""),
                new Pod.Status(PodPhase.RUNNING, List.of()),
                Unmodeled.none());
        return new ResolvedPod(pod, List.of(volumes), Map.of());
    }

    private static MountRow row(String uid, String outerName) {
        return new MountRow(
                ID, uid, "default", uid, outerName, false, MountState.MOUNTED, false, false, PluginState.none());
    }
}
