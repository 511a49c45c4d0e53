"""Chromium without a display, driven through a pipe by the DevTools protocol: a page is opened, pointed at, clicked, read."""
import json, os, subprocess, time


class Page:
    def __init__(self, program, profile, width, height):
        to_browser, from_test = os.pipe()
        from_browser, to_test = os.pipe()

        def as_3_and_4():  # where --remote-debugging-pipe looks
            spare = [os.dup(to_browser), os.dup(to_test)]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        self.browser = subprocess.Popen(
            [program, '--headless', '--no-sandbox', '--remote-debugging-pipe', f'--user-data-dir={profile}', '--no-first-run',
             '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--lang=en', f'--window-size={width},{height}', 'about:blank'],
            preexec_fn=as_3_and_4, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(to_test)
        self.to, self.of = os.fdopen(from_test, 'wb'), os.fdopen(from_browser, 'rb')
        self.number, self.session, self.console = 0, None, []
        target = self.ask('Target.createTarget', url='about:blank')['targetId']
        self.session = self.ask('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime'):
            self.ask(domain + '.enable')
        self.metrics(width, height, 1)

    def message(self):
        got = bytearray()
        while (byte := self.of.read(1)) != b'\0':
            if not byte:
                raise RuntimeError('Chromium has gone')
            got += byte
        return json.loads(got)

    def ask(self, method, **parameters):
        self.number += 1
        question = {'id': self.number, 'method': method, 'params': parameters}
        if self.session:
            question['sessionId'] = self.session
        self.to.write(json.dumps(question).encode() + b'\0')
        self.to.flush()
        while (answer := self.message()).get('id') != self.number:
            if answer.get('method') in ('Runtime.consoleAPICalled', 'Runtime.exceptionThrown'):
                self.console.append(json.dumps(answer['params'])[:600])
        if 'error' in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer['result']

    def open(self, url): self.ask('Page.navigate', url=url)

    def metrics(self, width, height, scale):
        self.ask('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def downloads_to(self, folder): self.ask('Browser.setDownloadBehavior', behavior='allow', downloadPath=folder)

    def value(self, expression):
        answer = self.ask('Runtime.evaluate', expression=expression, returnByValue=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError(answer['exceptionDetails'].get('exception', {}).get('description', 'an exception'))
        return answer['result'].get('value')

    def mouse(self, kind, at, **more): self.ask('Input.dispatchMouseEvent', type=kind, x=at[0], y=at[1], **more)
    def point(self, at): self.mouse('mouseMoved', at)

    def drag(self, start, end):
        self.point(start)
        self.mouse('mousePressed', start, button='left', buttons=1, clickCount=1)
        if end != start:
            self.mouse('mouseMoved', end, button='left', buttons=1)
        self.mouse('mouseReleased', end, button='left', buttons=0, clickCount=1)

    def click(self, at): self.drag(at, at)

    def type(self, character):
        code = ord(character.upper())
        self.ask('Input.dispatchKeyEvent', type='keyDown', key=character, text=character, windowsVirtualKeyCode=code)
        self.ask('Input.dispatchKeyEvent', type='keyUp', key=character, windowsVirtualKeyCode=code)

    def press(self, name, code):
        for kind in ('rawKeyDown', 'keyUp'):
            self.ask('Input.dispatchKeyEvent', type=kind, key=name, code=name, windowsVirtualKeyCode=code)

    def drop(self, at, path):
        data = {'items': [], 'files': [path], 'dragOperationsMask': 1}
        for kind in ('dragEnter', 'dragOver', 'drop'):
            self.ask('Input.dispatchDragEvent', type=kind, x=at[0], y=at[1], data=data)

    def picture(self): return self.ask('Page.captureScreenshot', format='png')['data']

    def close(self):
        try:
            self.session = None
            self.ask('Browser.close')
            self.browser.wait(20)
        except Exception:
            self.browser.kill()
            self.browser.wait()


def wait_for(question, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if question():
            return True
        time.sleep(0.1)
    return False
