package io.volume4j.core.linux.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.linux.device.SignatureRegions.Region;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitMapTest {
    private static final int BLOCK = 4096;
    private static final int BLOCKS = 1000;
    private static final int MAPPED = 0;
    private static final int DEALLOCATED = 1;
    private static final int ANCHORED = 2;

    /** A unit that tells so many pieces at a time. */
    private static final class Unit implements UnitMap.Unit {
        private final List<long[]> pieces = new ArrayList<>();
        private final int atOnce;
        private int provisioning = 0xc0;
        private long blocks = BLOCKS;
        private int questions;
        private boolean flushed;

        Unit(int atOnce) {
            this.atOnce = atOnce;
        }

        Unit piece(long from, long count, int status) {
            pieces.add(new long[] {from, count, status});
            return this;
        }

        @Override
        public byte[] capacity() {
            return ByteBuffer.allocate(32)
                    .putLong(blocks - 1)
                    .putInt(BLOCK)
                    .put(14, (byte) provisioning)
                    .array();
        }

        @Override
        public void flush() {
            flushed = true;
        }

        @Override
        public byte[] status(long block) {
            assertThat(flushed).as("what was written has reached the unit").isTrue();
            questions++;
            List<long[]> told = pieces.stream()
                    .filter(piece -> piece[0] + piece[1] > block)
                    .limit(atOnce)
                    .toList();
            ByteBuffer answer = ByteBuffer.allocate(8 + 16 * told.size());
            answer.position(8);
            for (long[] piece : told) {
                answer.putLong(piece[0])
                        .putInt((int) piece[1])
                        .put((byte) piece[2])
                        .put(new byte[3]);
            }
            return answer.array();
        }
    }

    private static Region region(long from, long to) {
        return new Region(from * BLOCK, to * BLOCK);
    }

    @ParameterizedTest(name = "told {0} at a time")
    @CsvSource({"1, 4", "2, 2", "100, 1"})
    void whatIsDeallocatedNeedNotBeRead(int atOnce, int questions) {
        Unit unit = new Unit(atOnce)
                .piece(0, 10, MAPPED)
                .piece(10, 490, DEALLOCATED)
                .piece(500, 100, ANCHORED)
                .piece(600, 400, DEALLOCATED);

        DataExtents map = Objects.requireNonNull(UnitMap.of(unit, (long) BLOCKS * BLOCK));

        assertThat(map.parts()).containsExactly(region(0, 10), region(500, 600));
        assertThat(map.describe()).contains("450560 bytes", "are mapped to nothing by the unit");
        assertThat(unit.questions).isEqualTo(questions);
    }

    @Test
    void anEmptyUnitHasNothingToRead() {
        DataExtents map =
                Objects.requireNonNull(UnitMap.of(new Unit(1).piece(0, BLOCKS, DEALLOCATED), (long) BLOCKS * BLOCK));

        assertThat(map.parts()).isEmpty();
    }

    @ParameterizedTest(name = "provisioning {0}, {1} blocks")
    @CsvSource({
        "0x80, 1000", // does not say that such blocks read as zeros
        "0x40, 1000", // is not provisioned thinly
        "0, 1000",
        "0xc0, 999", // the device is not the whole unit
        "0xc0, 2000",
        "0xc0, 0",
    })
    void aUnitThatDoesNotSpeakOfThisDeviceSaysNothing(String provisioning, long blocks) {
        Unit unit = new Unit(1).piece(0, 2000, DEALLOCATED);
        unit.provisioning = Integer.decode(provisioning);
        unit.blocks = blocks;

        assertThat(UnitMap.of(unit, (long) BLOCKS * BLOCK)).isNull();
    }

    @Test
    void aUnitThatLeavesBlocksOutSaysNothing() {
        Unit gap = new Unit(2).piece(0, 10, DEALLOCATED).piece(20, 980, DEALLOCATED);
        Unit end = new Unit(2).piece(0, 10, DEALLOCATED);
        Unit empty = new Unit(1).piece(0, 0, DEALLOCATED);

        assertThat(UnitMap.of(gap, (long) BLOCKS * BLOCK)).isNull();
        assertThat(UnitMap.of(end, (long) BLOCKS * BLOCK)).isNull();
        assertThat(UnitMap.of(empty, (long) BLOCKS * BLOCK)).isNull();
    }

    @Test
    void aPieceThatReachesBeyondTheUnitEndsWithIt() {
        Unit unit = new Unit(1).piece(0, 990, DEALLOCATED).piece(990, 1 << 20, MAPPED);

        DataExtents map = Objects.requireNonNull(UnitMap.of(unit, (long) BLOCKS * BLOCK));

        assertThat(map.parts()).containsExactly(region(990, 1000));
    }

    @Test
    void aUnitInVeryManyPiecesIsReadFromThereOn() {
        Unit unit = new Unit(4096);
        unit.blocks = 100_000;
        for (int i = 0; i < 50_000; i++) {
            unit.piece(2L * i, 1, MAPPED).piece(2L * i + 1, 1, DEALLOCATED);
        }

        DataExtents map = Objects.requireNonNull(UnitMap.of(unit, 100_000L * BLOCK));

        assertThat(map.parts()).hasSizeBetween(10_000, 15_000);
        assertThat(map.parts().get(map.parts().size() - 1).to()).isEqualTo(100_000L * BLOCK);
    }

    @Test
    void aDeviceThatIsNoScsiUnitSaysNothing() {
        UnitMap.Unit none = new UnitMap.Unit() {
            @Override
            public byte[] capacity() {
                return new byte[0];
            }

            @Override
            public void flush() {}

            @Override
            public byte[] status(long block) {
                return new byte[0];
            }
        };

        assertThat(UnitMap.of(none, (long) BLOCKS * BLOCK)).isNull();
    }
}
