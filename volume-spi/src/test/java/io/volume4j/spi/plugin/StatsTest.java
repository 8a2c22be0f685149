package io.volume4j.spi.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.mount.FilesystemUsage;
import io.volume4j.spi.plugin.StatsReporter.Stats;
import org.junit.jupiter.api.Test;

class StatsTest {
    @Test
    void theFiguresOfAFilesystemAreThoseOfItsVolume() {
        assertThat(Stats.of(new FilesystemUsage(100, 50, 40, 10, 7))).isEqualTo(new Stats(100, 50, 40, 10, 7, 3));
    }

    @Test
    void aFilesystemThatMakesInodesAsItNeedsThemHasNoFiguresOfThem() {
        assertThat(Stats.of(new FilesystemUsage(100, 50, 40, 0, 0))).isEqualTo(new Stats(100, 50, 40, -1, -1, -1));
    }

    /** CephFS says so: without a limit of inodes, none can be free, and the used ones would be more than all. */
    @Test
    void negativeInodesAreUnknown() {
        assertThat(Stats.of(new FilesystemUsage(100, 50, 40, 10, -1))).isEqualTo(new Stats(100, 50, 40, -1, -1, -1));
    }
}
