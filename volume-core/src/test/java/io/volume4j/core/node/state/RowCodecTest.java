package io.volume4j.core.node.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.Growth;
import io.volume4j.core.node.MountState;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.PluginState;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows say the same after they were written and read, whichever version wrote them. */
class RowCodecTest {
    private static final VolumeId ID = VolumeId.shared("p.example/x", "v^1");

    private static final VolumeRow VOLUME = new VolumeRow(
            ID,
            "pv-1",
            true,
            AttachState.ATTACHED,
            "/dev/x",
            Map.of("k", "v"),
            new PluginState(3, Map.of("a", "b")),
            MountState.UNCERTAIN,
            true,
            PluginState.none(),
            "system_u:object_r:t:s0:c1",
            new Growth(1, 2, 3, "too large"));

    private static final MountRow MOUNT = new MountRow(
            ID,
            "uid",
            "ns",
            "pod",
            "outer",
            true,
            MountState.MOUNTED,
            true,
            true,
            new PluginState(1, Map.of("k", "v")));

    @Test
    void readsWhatItWrote() {
        assertThat(RowCodec.readVolume(RowCodec.volume(VOLUME).payload())).isEqualTo(VOLUME);
        assertThat(RowCodec.readVolume(RowCodec.volume(VOLUME.withLabel(null)).payload()))
                .isEqualTo(VOLUME.withLabel(null));
        assertThat(RowCodec.readMount(RowCodec.mount(MOUNT).payload())).isEqualTo(MOUNT);
        MountRow mapped = MOUNT.withIds("users 0:100000:65536, groups 0:100000:65536");
        assertThat(RowCodec.readMount(RowCodec.mount(mapped).payload())).isEqualTo(mapped);
    }

    /** As version 2 wrote them: without IDs. */
    @Test
    void readsAMountOfTheSecondVersion() {
        byte[] third = RowCodec.mount(MOUNT).payload();
        byte[] second = Arrays.copyOf(third, third.length - 2);
        second[0] = 2;

        assertThat(RowCodec.readMount(second)).isEqualTo(MOUNT);
    }

    /** As version 1 wrote them: without mode, context and size. */
    @Test
    void readsRowsOfTheFirstVersion() {
        byte[] volume = HexFormat.of()
                .parseHex("01" + "0001" + "70" + "0001" + "76" + "0000" // id p, v
                        + "0002" + "7076" // name
                        + "0008" + "4154544143484544" // ATTACHED
                        + "0000" + "0000" // device path, metadata
                        + "00000000" + "0000" // plugin's data
                        + "0007" + "4d4f554e544544" // MOUNTED
                        + "01" + "00000000" + "0000");
        VolumeRow row = RowCodec.readVolume(volume);

        assertThat(row.id()).isEqualTo(VolumeId.shared("p", "v"));
        assertThat(row.attach()).isEqualTo(AttachState.ATTACHED);
        assertThat(row.device()).isEqualTo(MountState.MOUNTED);
        assertThat(row.block()).isFalse();
        assertThat(row.label()).isNull();
        assertThat(row.growth()).isEqualTo(Growth.unknown());
    }

    /** A later version adds at the end. */
    @Test
    void readsRowsOfLaterVersionsAsFarAsItKnowsThem() {
        JournalEntry entry = RowCodec.volume(VOLUME);
        byte[] later = Arrays.copyOf(entry.payload(), entry.payload().length + 7);
        later[0] = 9;

        assertThat(RowCodec.readVolume(later)).isEqualTo(VOLUME);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 10, 40})
    void refusesWhatIsCutShort(int length) {
        byte[] whole = RowCodec.mount(MOUNT).payload();

        assertThatThrownBy(() -> RowCodec.readMount(Arrays.copyOf(whole, length)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keepsTheReasonOfARefusalShort() {
        VolumeRow row = VOLUME.withGrowth(Growth.unknown().refused(5, "x".repeat(100_000)));

        assertThat(RowCodec.readVolume(RowCodec.volume(row).payload()).growth().why())
                .hasSize(1000);
    }
}
