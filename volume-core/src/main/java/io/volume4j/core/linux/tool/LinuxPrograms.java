package io.volume4j.core.linux.tool;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.mount.Programs;
import java.nio.file.Path;
import java.util.Optional;

/** {@link Programs} by {@link ToolRunner}, which also runs the backend's own tools. */
public final class LinuxPrograms implements Programs {
    private final Tools tools;
    private final ToolRunner runner;

    public LinuxPrograms(Tools tools, ToolRunner runner) {
        this.tools = tools;
        this.runner = runner;
    }

    @Override
    public Optional<Path> find(String name) {
        return tools.find(name);
    }

    @Override
    public Outcome run(Command command, CallContext context) {
        ToolResult result = runner.run(command.program(), command.arguments(), command.limit(), context);
        return new Outcome(result.ending(), result.exitCode(), result.output(), result.cut());
    }
}
