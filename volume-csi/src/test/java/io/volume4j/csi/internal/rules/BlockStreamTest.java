package io.volume4j.csi.internal.rules;

import static io.volume4j.csi.internal.proto.BlockMetadataType.FIXED_LENGTH;
import static io.volume4j.csi.internal.proto.BlockMetadataType.VARIABLE_LENGTH;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.csi.internal.proto.BlockMetadata;
import io.volume4j.csi.internal.proto.BlockMetadataType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockStreamTest {
    private static final long CAPACITY = 1000;
    private final BlockStream stream = new BlockStream(0);

    @Test
    void countsWhatComesInOrder() {
        assertThat(accept(FIXED_LENGTH, 0, 10, 20, 10)).isEmpty();
        assertThat(stream.resumeAt()).isEqualTo(30);
        assertThat(accept(FIXED_LENGTH, 30, 10)).isEmpty();
        assertThat(stream.resumeAt()).isEqualTo(40);
        assertThat(stream.progressed()).isTrue();
    }

    @Test
    void anEmptyPartIsNoProgress() {
        assertThat(accept(FIXED_LENGTH)).isEmpty();
        assertThat(stream.progressed()).isFalse();
    }

    @Test
    void refusesOverlapAndDisorder() {
        assertThat(accept(VARIABLE_LENGTH, 0, 10, 5, 10)).containsExactly("block at 5 comes after byte 10 was reached");
        assertThat(stream.resumeAt()).isZero();
        assertThat(accept(VARIABLE_LENGTH, 50, 10)).isEmpty();
        assertThat(accept(VARIABLE_LENGTH, 20, 10)).containsExactly("block at 20 comes after byte 60 was reached");
    }

    @Test
    void refusesBlocksOutsideTheVolume() {
        assertThat(accept(VARIABLE_LENGTH, 1000, 1)).hasSize(1);
        assertThat(accept(VARIABLE_LENGTH, -1, 1)).hasSize(1);
        assertThat(accept(VARIABLE_LENGTH, 0, 0)).hasSize(1);
        assertThat(accept(VARIABLE_LENGTH, 10, Long.MAX_VALUE)).hasSize(1);
    }

    @Test
    void refusesAChangeOfStyleOrSizeWithinTheStream() {
        assertThat(accept(FIXED_LENGTH, 0, 10)).isEmpty();
        assertThat(accept(VARIABLE_LENGTH, 10, 10)).hasSize(1);
        assertThat(stream.accept(FIXED_LENGTH, CAPACITY + 1, List.of())).hasSize(1);
        assertThat(accept(FIXED_LENGTH, 10, 20))
                .containsExactly("block at 10 has 20 bytes in a stream of blocks of 10");
    }

    @Test
    void theLastBlockMayBeShorter() {
        assertThat(accept(FIXED_LENGTH, 0, 300, 900, 100)).isEmpty();
    }

    /** A driver rounds the offset asked for down to its blocks, at the start and at every continuation. */
    @Test
    void theFirstBlockMayBeginBeforeTheOffset() {
        BlockStream later = new BlockStream(15);
        assertThat(later.accept(FIXED_LENGTH, CAPACITY, blocks(10, 10))).isEmpty();
        assertThat(later.resumeAt()).isEqualTo(20);
        later.resumed();
        assertThat(later.accept(FIXED_LENGTH, CAPACITY, blocks(10, 10))).hasSize(1);
        later.resumed();
        assertThat(later.accept(FIXED_LENGTH, CAPACITY, blocks(20, 10))).isEmpty();
        assertThat(later.resumeAt()).isEqualTo(30);
    }

    private List<String> accept(BlockMetadataType style, long... offsetsAndSizes) {
        return stream.accept(style, CAPACITY, blocks(offsetsAndSizes));
    }

    private static List<BlockMetadata> blocks(long... offsetsAndSizes) {
        List<BlockMetadata> blocks = new ArrayList<>();
        for (int i = 0; i < offsetsAndSizes.length; i += 2) {
            blocks.add(BlockMetadata.newBuilder()
                    .setByteOffset(offsetsAndSizes[i])
                    .setSizeBytes(offsetsAndSizes[i + 1])
                    .build());
        }
        return blocks;
    }
}
