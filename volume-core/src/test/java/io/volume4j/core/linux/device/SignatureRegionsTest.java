package io.volume4j.core.linux.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.linux.device.SignatureRegions.Region;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureRegionsTest {
    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @ValueSource(longs = {MIB, MIB + 512, 4 * MIB, 5 * MIB})
    void aSmallDeviceIsReadAsAWhole(long bytes) {
        assertThat(SignatureRegions.of(bytes)).containsExactly(new Region(0, bytes));
    }

    @ParameterizedTest
    @ValueSource(longs = {6 * MIB, 8 * MIB + 512, 64 * MIB, 64 * MIB + 4096, 1L << 30, (1L << 40) + 512, 1L << 62})
    void frontAndBackAreAlwaysThereAndRegionsAreInOrderAndApart(long bytes) {
        List<Region> regions = SignatureRegions.of(bytes);
        assertThat(regions.get(0).from()).isZero();
        assertThat(regions.get(0).to()).isGreaterThanOrEqualTo(4 * MIB);
        Region last = regions.get(regions.size() - 1);
        assertThat(last.to()).isEqualTo(bytes);
        assertThat(last.length()).isGreaterThanOrEqualTo(MIB);
        for (int i = 0; i < regions.size(); i++) {
            assertThat(regions.get(i).from() % SignatureRegions.ALIGNMENT).isZero();
            assertThat(regions.get(i).length()).isPositive();
            if (i > 0) {
                assertThat(regions.get(i).from())
                        .isGreaterThan(regions.get(i - 1).to());
            }
        }
    }
}
