package io.volume4j.csi.driver.backend;

import io.grpc.Status.Code;
import io.volume4j.csi.driver.backend.State.KnownSnapshot;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.internal.proto.BlockMetadata;
import io.volume4j.csi.internal.proto.BlockMetadataType;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedResponse;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaResponse;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls for the blocks of a snapshot that have content, or that differ between two snapshots. Files count as if they
 * were concatenated. Called inside {@link Backend#work}.
 */
public final class MetadataCalls {
    /** Small, so that a few bytes of a test are several blocks. */
    static final int BLOCK_BYTES = 4096;

    private static final int DEFAULT_RESULTS = 64;

    private final Backend backend;
    private final SnapshotCalls snapshots;

    public MetadataCalls(Backend backend, SnapshotCalls snapshots) {
        this.backend = backend;
        this.snapshots = snapshots;
    }

    /** The parts of a stream, and whether it breaks after them. */
    public record Stream<R>(List<R> parts, boolean breaksOff) {}

    public Stream<GetMetadataAllocatedResponse> allocated(GetMetadataAllocatedRequest request) {
        KnownSnapshot snapshot = ready(request.getSnapshotId());
        List<Long> blocks = backend.contents().blocks(request.getSnapshotId(), BLOCK_BYTES);
        List<Long> offsets = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            if (blocks.get(i) != 0) {
                offsets.add((long) i * BLOCK_BYTES);
            }
        }
        List<GetMetadataAllocatedResponse> parts = new ArrayList<>();
        for (Part part : parts(offsets, request.getStartingOffset(), request.getMaxResults(), snapshot)) {
            parts.add(GetMetadataAllocatedResponse.newBuilder()
                    .setBlockMetadataType(part.type())
                    .setVolumeCapacityBytes(snapshot.proto.getSizeBytes())
                    .addAllBlockMetadata(part.blocks())
                    .build());
        }
        return stream(parts, request.getStartingOffset());
    }

    public Stream<GetMetadataDeltaResponse> delta(GetMetadataDeltaRequest request) {
        KnownSnapshot base = ready(request.getBaseSnapshotId());
        KnownSnapshot target = ready(request.getTargetSnapshotId());
        if (!base.proto.getSourceVolumeId().equals(target.proto.getSourceVolumeId())) {
            throw Refused.invalid("the snapshots are not of the same volume");
        }
        List<Long> before = backend.contents().blocks(request.getBaseSnapshotId(), BLOCK_BYTES);
        List<Long> after = backend.contents().blocks(request.getTargetSnapshotId(), BLOCK_BYTES);
        List<Long> offsets = new ArrayList<>();
        for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
            long was = i < before.size() ? before.get(i) : 0;
            long is = i < after.size() ? after.get(i) : 0;
            if (was != is) {
                offsets.add((long) i * BLOCK_BYTES);
            }
        }
        List<GetMetadataDeltaResponse> parts = new ArrayList<>();
        for (Part part : parts(offsets, request.getStartingOffset(), request.getMaxResults(), target)) {
            parts.add(GetMetadataDeltaResponse.newBuilder()
                    .setBlockMetadataType(part.type())
                    .setVolumeCapacityBytes(target.proto.getSizeBytes())
                    .addAllBlockMetadata(part.blocks())
                    .build());
        }
        return stream(parts, request.getStartingOffset());
    }

    private KnownSnapshot ready(String id) {
        KnownSnapshot snapshot = snapshots.find(id);
        if (!snapshot.proto.getReadyToUse()) {
            throw new Refused(Code.UNAVAILABLE, id + " is not ready yet");
        }
        return snapshot;
    }

    private <R> Stream<R> stream(List<R> parts, long start) {
        boolean breaksOff = backend.options().has(Quirk.METADATA_BREAKS_OFF) && start == 0;
        return new Stream<>(breaksOff ? parts.subList(0, 1) : parts, breaksOff);
    }

    private record Part(BlockMetadataType type, List<BlockMetadata> blocks) {}

    /** At least one part, so that an empty snapshot also reports its capacity. */
    private List<Part> parts(List<Long> offsets, long start, int maxResults, KnownSnapshot snapshot) {
        if (start < 0 || maxResults < 0) {
            throw Refused.invalid("starting_offset and max_results must not be negative");
        }
        if (start > snapshot.proto.getSizeBytes()) {
            throw new Refused(Code.OUT_OF_RANGE, "starting_offset lies behind the end of the snapshot");
        }
        List<BlockMetadata> blocks = new ArrayList<>();
        for (long offset : offsets) {
            boolean gap = backend.options().has(Quirk.METADATA_GAPS) && blocks.size() % 2 == 1;
            if (offset + BLOCK_BYTES > start && !gap) {
                blocks.add(BlockMetadata.newBuilder()
                        .setByteOffset(offset)
                        .setSizeBytes(BLOCK_BYTES)
                        .build());
            }
        }
        if (backend.options().has(Quirk.METADATA_DUPLICATES) && !blocks.isEmpty()) {
            blocks.add(blocks.get(blocks.size() - 1));
        }
        int most = maxResults == 0 ? DEFAULT_RESULTS : maxResults;
        List<Part> parts = new ArrayList<>();
        for (int from = 0; from == 0 || from < blocks.size(); from += most) {
            boolean other = backend.options().has(Quirk.METADATA_STYLE_CHANGE) && from > 0;
            parts.add(new Part(
                    other ? BlockMetadataType.VARIABLE_LENGTH : BlockMetadataType.FIXED_LENGTH,
                    List.copyOf(blocks.subList(from, Math.min(blocks.size(), from + most)))));
        }
        return parts;
    }
}
