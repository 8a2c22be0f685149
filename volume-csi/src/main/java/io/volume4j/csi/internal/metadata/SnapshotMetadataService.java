package io.volume4j.csi.internal.metadata;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.volume4j.core.control.SnapshotBlocks;
import io.volume4j.csi.SnapshotAccess;
import io.volume4j.csi.internal.proto.metadata.BlockMetadata;
import io.volume4j.csi.internal.proto.metadata.BlockMetadataType;
import io.volume4j.csi.internal.proto.metadata.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.metadata.GetMetadataAllocatedResponse;
import io.volume4j.csi.internal.proto.metadata.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.metadata.GetMetadataDeltaResponse;
import io.volume4j.csi.internal.proto.metadata.SnapshotMetadataGrpc.SnapshotMetadataImplBase;
import io.volume4j.spi.plugin.SnapshotMetadata.BlockSink;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers one request per call. It checks the request, then the token, then the user's permission, and only then reads snapshots. So a
 * client without permission learns nothing about existing snapshots. The block type is always VARIABLE_LENGTH, which is correct for
 * every driver.
 */
public final class SnapshotMetadataService extends SnapshotMetadataImplBase {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotMetadataService.class);

    private static final Status TOO_LONG =
            Status.DEADLINE_EXCEEDED.withDescription("the call took too long; go on behind the last block");

    private final SnapshotBlocks blocks;
    private final SnapshotAccess access;
    private final Duration longest;
    private final Executor workers;
    private final String prefix;
    private final AtomicLong calls = new AtomicLong();

    /**
     * @param longest limit for one stream
     * @param workers runs one task for each call; if it rejects the task, the client gets RESOURCE_EXHAUSTED
     * @param prefix of the names of operations, unique to this process
     */
    public SnapshotMetadataService(
            SnapshotBlocks blocks, SnapshotAccess access, Duration longest, Executor workers, String prefix) {
        this.blocks = blocks;
        this.access = access;
        this.longest = longest;
        this.workers = workers;
        this.prefix = prefix;
    }

    @Override
    public void getMetadataAllocated(
            GetMetadataAllocatedRequest request, StreamObserver<GetMetadataAllocatedResponse> client) {
        answer(
                BlockQuestion.of(request),
                client,
                (bytes, part) -> GetMetadataAllocatedResponse.newBuilder()
                        .setBlockMetadataType(BlockMetadataType.VARIABLE_LENGTH)
                        .setVolumeCapacityBytes(bytes)
                        .addAllBlockMetadata(part)
                        .build());
    }

    @Override
    public void getMetadataDelta(GetMetadataDeltaRequest request, StreamObserver<GetMetadataDeltaResponse> client) {
        answer(
                BlockQuestion.of(request),
                client,
                (bytes, part) -> GetMetadataDeltaResponse.newBuilder()
                        .setBlockMetadataType(BlockMetadataType.VARIABLE_LENGTH)
                        .setVolumeCapacityBytes(bytes)
                        .addAllBlockMetadata(part)
                        .build());
    }

    private <R> void answer(
            BlockQuestion question, StreamObserver<R> client, BiFunction<Long, List<BlockMetadata>, R> response) {
        String mistake = question.mistake().orElse("");
        if (!mistake.isEmpty()) {
            client.onError(Status.INVALID_ARGUMENT.withDescription(mistake).asRuntimeException());
            return;
        }
        StreamContext context = new StreamContext(prefix + calls.incrementAndGet(), longest, System::nanoTime);
        BlockSink sink =
                new BlockStreamWriter<>((ServerCallStreamObserver<R>) client, context, question.maxResults(), response);
        try {
            workers.execute(() -> run(question, sink, client, context));
        } catch (RejectedExecutionException busy) {
            client.onError(Status.RESOURCE_EXHAUSTED
                    .withDescription("too many calls are under way: try again later")
                    .asRuntimeException());
        } catch (Throwable noThread) {
            client.onError(Status.UNAVAILABLE
                    .withDescription("the service has no thread for the call: try again later")
                    .asRuntimeException());
        }
    }

    private <R> void run(BlockQuestion question, BlockSink sink, StreamObserver<R> client, StreamContext context) {
        Status status = status(question, sink, context);
        LOG.atDebug()
                .addKeyValue("action", "snapshot-blocks")
                .addKeyValue("question", question)
                .addKeyValue("status", status.getCode())
                .log("answered");
        if (status.isOk()) {
            client.onCompleted();
        } else {
            client.onError(status.asRuntimeException());
        }
    }

    private Status status(BlockQuestion question, BlockSink sink, StreamContext context) {
        try {
            Status allowed = Answers.of(access.check(question.token(), question.namespace()));
            if (allowed.isOk()) {
                ask(question, sink, context);
            }
            return allowed;
        } catch (Throwable failed) {
            if (context.remaining().compareTo(Duration.ZERO) <= 0) {
                // The time limit caused the failure, because the driver's call has the same deadline.
                return TOO_LONG;
            }
            Status status = Answers.of(failed);
            if (status.getCode() == Status.Code.INTERNAL) {
                LOG.atWarn()
                        .setCause(failed)
                        .addKeyValue("action", "snapshot-blocks")
                        .addKeyValue("question", question)
                        .log("the blocks of a snapshot could not be reported");
            }
            return status;
        }
    }

    private void ask(BlockQuestion question, BlockSink sink, StreamContext context) {
        String base = question.base();
        if (base == null) {
            blocks.allocated(question.snapshot(question.target()), question.startingOffset(), sink, context);
        } else {
            blocks.changed(
                    question.snapshot(base),
                    question.snapshot(question.target()),
                    question.startingOffset(),
                    sink,
                    context);
        }
    }
}
