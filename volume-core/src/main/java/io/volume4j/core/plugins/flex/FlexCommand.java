package io.volume4j.core.plugins.flex;

import java.util.Locale;

/** The commands of a flexvolume driver, with the meaning of their failures. */
enum FlexCommand {
    INIT(false),
    GETVOLUMENAME(false),
    ATTACH(true),
    WAITFORATTACH(false),
    ISATTACHED(false),
    MOUNTDEVICE(true),
    UNMOUNTDEVICE(true),
    DETACH(true),
    MOUNT(true),
    UNMOUNT(true),
    EXPANDVOLUME(true),
    EXPANDFS(true);

    private final boolean effect;

    FlexCommand(boolean effect) {
        this.effect = effect;
    }

    /** Whether a failed call may have had an effect. */
    boolean hasEffect() {
        return effect;
    }

    /** The command as on the command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
