package io.volume4j.core.control;

import io.volume4j.core.control.host.ControllerAgent;
import io.volume4j.core.explain.Health;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A controller that consists of an agent and its own threads. */
interface AgentController extends Controller {
    ControllerAgent agent();

    AgentThreads threads();

    OperationLimits limits();

    /** The agent's answer; fails after the controller is closed. */
    default <T> CompletableFuture<T> answered(CompletableFuture<T> answer) {
        return threads().answered(answer);
    }

    @Override
    default void start() {
        threads().start(agent()::start);
    }

    @Override
    default Health health() {
        return threads().health(Health.PATIENCE, agent()::health);
    }

    @Override
    default Reconciler<ObjectKey, PlannedStep> reconciler() {
        return new ControlReconciler(this);
    }

    @Override
    default OperationExecutor<ObjectKey> operationExecutor() {
        return new ControlOperations(this);
    }

    @Override
    default void close() {
        closeReportingLeft();
    }

    @Override
    default List<String> closeReportingLeft() {
        return threads().close(agent()::end);
    }
}
