package io.volume4j.core.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.mount.OwnershipChange;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnershipTest {
    @ParameterizedTest(name = "fsGroup={0} policy={1} managed={2} readOnly={3} mode={4}: {5}")
    @CsvSource(
            nullValues = "-",
            value = {
                "2000, -,              true,  false, FILESYSTEM, every time",
                "2000, Always,         true,  false, FILESYSTEM, every time",
                "2000, OnRootMismatch, true,  false, FILESYSTEM, if the root differs",
                "0,    Always,         true,  false, FILESYSTEM, every time",
                "-,    Always,         true,  false, FILESYSTEM, never",
                "2000, Always,         false, false, FILESYSTEM, never",
                "2000, Always,         true,  true,  FILESYSTEM, never",
                "2000, Always,         true,  false, BLOCK,      never",
                "2000, Always,         -,     false, FILESYSTEM, never",
            })
    void isWantedOnlyForWritableManagedFiles(
            @Nullable Long group,
            @Nullable String policy,
            @Nullable Boolean managed,
            boolean readOnly,
            VolumeMode mode,
            String expected) {
        Ownership wanted = Ownership.wanted(
                pod(group, policy == null ? "" : policy),
                spec(mode),
                readOnly,
                managed == null ? null : new Managing(managed),
                false);

        String found = wanted == null ? "never" : wanted.onlyIfRootDiffers() ? "if the root differs" : "every time";
        assertThat(found).isEqualTo(expected);
        if (wanted != null) {
            assertThat(wanted.group()).isEqualTo(group);
        }
    }

    @Test
    void addsTheBitsThatTheGroupNeeds() {
        assertThat(OwnershipChange.ofFsGroup(5, false)).isEqualTo(new OwnershipChange(5, 0660, 02770));
        assertThat(OwnershipChange.ofFsGroup(5, true)).isEqualTo(new OwnershipChange(5, 0440, 02550));
    }

    @ParameterizedTest(name = "group {0} mode {1}: {2}")
    @CsvSource({
        "5, 2770, true",
        "5, 2777, true",
        "5, 6770, true",
        "6, 2770, false",
        "5, 0770, false",
        "5, 2760, false",
        "5, 2750, false"
    })
    void aDirectoryFitsOnlyWithTheGroupAllBitsAndSetGroup(long group, String mode, boolean fits) {
        assertThat(OwnershipChange.ofFsGroup(5, false).fitsDirectory(group, Integer.parseInt(mode, 8)))
                .isEqualTo(fits);
    }

    @Test
    void refusesWhatIsNoGroup() {
        assertThatIllegalArgumentException().isThrownBy(() -> OwnershipChange.ofFsGroup(-1, false));
        assertThatIllegalArgumentException().isThrownBy(() -> OwnershipChange.ofFsGroup(0xFFFFFFFFL, false));
    }

    private static Pod pod(@Nullable Long group, String policy) {
        return new Pod(
                ObjectMeta.named("default", "p").withUid("u"),
                new Pod.Spec(
                        "n",
                        List.of(),
                        List.of(),
                        List.of(),
                        new Pod.SecurityContext(group, policy, List.of(), null),
                        ""),
                new Pod.Status(PodPhase.RUNNING, List.of()),
                Unmodeled.none());
    }

    private static VolumeSpec spec(VolumeMode mode) {
        return VolumeSpec.of(
                new PersistentVolume(
                        ObjectMeta.named("", "pv"),
                        new PersistentVolume.Spec(
                                Quantity.parse("1Gi"),
                                List.of(AccessMode.READ_WRITE_ONCE),
                                ReclaimPolicy.RETAIN,
                                "",
                                mode,
                                null,
                                List.of(),
                                null,
                                "",
                                CsiSource.of("mem", "h", "", Map.of())),
                        new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                        Unmodeled.none()),
                false);
    }

    private record Managing(boolean managesContent) implements Mounter {
        @Override
        public MountResult mount(MountRequest request, CallContext context) {
            return MountResult.mounted();
        }
    }
}
