package io.volume4j.csi.internal.metadata;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.volume4j.csi.internal.proto.metadata.BlockMetadata;
import io.volume4j.spi.plugin.SnapshotMetadata.Block;
import io.volume4j.spi.plugin.SnapshotMetadata.BlockSink;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;

/**
 * Sends blocks to a client no faster than the client reads them. A snapshot has millions of blocks, and a client that stores them can be
 * slower than the driver.
 */
final class BlockStreamWriter<R> implements BlockSink {
    /** Most blocks in one response: some 20 KB. */
    private static final int MOST = 1000;

    private final ServerCallStreamObserver<R> client;
    private final StreamContext context;
    private final int most;
    private final BiFunction<Long, List<BlockMetadata>, R> response;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** gRPC requires this on the thread of the call, before the call returns. */
    BlockStreamWriter(
            ServerCallStreamObserver<R> client,
            StreamContext context,
            int maxResults,
            BiFunction<Long, List<BlockMetadata>, R> response) {
        this.client = client;
        this.context = context;
        this.most = maxResults == 0 ? MOST : Math.min(maxResults, MOST);
        this.response = response;
        client.setOnReadyHandler(this::wake);
        client.setOnCancelHandler(context::cancel);
        context.onCancel(this::wake);
    }

    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void accept(long volumeBytes, List<Block> blocks) {
        for (int from = 0; from == 0 || from < blocks.size(); from += most) {
            awaitReady();
            client.onNext(response.apply(
                    volumeBytes,
                    blocks.subList(from, Math.min(from + most, blocks.size())).stream()
                            .map(BlockStreamWriter::message)
                            .toList()));
        }
    }

    private static BlockMetadata message(Block block) {
        return BlockMetadata.newBuilder()
                .setByteOffset(block.offset())
                .setSizeBytes(block.bytes())
                .build();
    }

    private void awaitReady() {
        lock.lock();
        try {
            while (!client.isReady()) {
                long left = context.remaining().toNanos();
                if (context.cancelled()) {
                    throw new StreamEndedException(Status.Code.CANCELLED, "the client left");
                }
                if (left <= 0 || !changed.await(left, TimeUnit.NANOSECONDS)) {
                    throw new StreamEndedException(Status.Code.DEADLINE_EXCEEDED, "the client takes no more blocks");
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new StreamEndedException(
                    Status.Code.UNAVAILABLE, "the service is being stopped; go on behind the last block");
        } finally {
            lock.unlock();
        }
    }
}
