package io.volume4j.csi.internal.transport;

import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A call that ends even if the thread that serves it is lost; see {@link IoThreads}. */
final class WatchedCall<Q, R> extends SimpleForwardingClientCall<Q, R> {
    private final Executor caller;
    private final Set<WatchedCall<?, ?>> running;
    private final BooleanSupplier lost;
    private volatile @Nullable Ending<R> ending;

    /**
     * @param caller runs what the call reports; null for the thread that has something to report
     * @param running contains the call from its start to its end
     * @param lost whether no thread serves the call
     */
    WatchedCall(
            ClientCall<Q, R> call, @Nullable Executor caller, Set<WatchedCall<?, ?>> running, BooleanSupplier lost) {
        super(call);
        this.caller = caller == null ? Runnable::run : caller;
        this.running = running;
        this.lost = lost;
    }

    @Override
    public void start(ClientCall.Listener<R> listener, Metadata headers) {
        Ending<R> own = new Ending<>(listener, () -> running.remove(this));
        ending = own;
        running.add(this);
        boolean begun = false;
        try {
            served(() -> super.start(own, headers));
            begun = true;
        } finally {
            if (!begun) {
                running.remove(this);
            }
        }
        // the threads may have ended between the two, and then only this thread knows of the call
        if (lost.getAsBoolean()) {
            lose();
        }
    }

    @Override
    public void request(int messages) {
        served(() -> super.request(messages));
    }

    @Override
    public void sendMessage(Q message) {
        served(() -> super.sendMessage(message));
    }

    @Override
    public void halfClose() {
        served(super::halfClose);
    }

    /** A call whose thread is lost ends by {@link #lose}. */
    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
        try {
            super.cancel(message, cause);
        } catch (RejectedExecutionException e) {
            lose();
        }
    }

    /** Ends the call for its caller. */
    void lose() {
        Ending<R> own = ending;
        if (own != null) {
            caller.execute(() -> own.onClose(threadEnded(null), new Metadata()));
        }
    }

    private static void served(Runnable step) {
        try {
            step.run();
        } catch (RejectedExecutionException e) {
            throw threadEnded(e).asRuntimeException();
        }
    }

    private static Status threadEnded(@Nullable Throwable cause) {
        return Status.UNAVAILABLE
                .withDescription("the thread for the driver's socket ended; its error is in the log")
                .withCause(cause);
    }

    /** Passes on one end. */
    private static final class Ending<R> extends SimpleForwardingClientCallListener<R> {
        private final Runnable onEnd;
        private final AtomicBoolean ended = new AtomicBoolean();

        Ending(ClientCall.Listener<R> listener, Runnable onEnd) {
            super(listener);
            this.onEnd = onEnd;
        }

        @Override
        public void onMessage(R message) {
            if (!ended.get()) {
                super.onMessage(message);
            }
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            if (ended.compareAndSet(false, true)) {
                onEnd.run();
                super.onClose(status, trailers);
            }
        }
    }
}
