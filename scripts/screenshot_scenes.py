"""What happens in the runs on the pictures: questions, and what the agents say to them."""

from __future__ import annotations

from scripts.screenshot_model import Scene, Turn

REJECTED = (
    "A school shares 23 boxes of 48 pencils among 6 classes. How many pencils does each class get?"
)
"""A tool call that fails, an answer that is sent back, a second round: the picture in README."""
REFUSED = "Summarise the minutes of all meetings of last year, and count the decisions."
LIVE = "A tank holds 1250 litres and loses 35 litres a day. How much is left after three weeks?"
PAUSED = "A train covers 414 km in 3 hours. How far does it get in 5 hours at that speed?"
CHINESE = "求解一元二次方程 x²-5x+6=0"
WAITING = (
    "A printer makes 24 pages a minute. How many pages does it make in an eight-hour day?",
    "Seven friends share a bill of 217 euros. What does each of them pay?",
    "A field is 125 m long and 64 m wide. What is its area in square metres?",
    "证明：任意两个奇数之和是偶数。",
)
CANCELLED = "A novel has 412 pages; Ada reads 38 a day. On which day does she finish it?"

_SENT_BACK = Scene(
    solver=(
        Turn("First the pencils in all.", ("calculator", {"expression": "23*48"})),
        Turn("Now the share of a class.", ("calculator", {"expression": "1104 / 6 classes"})),
        Turn("Each of the 6 classes gets 174 pencils. Answer: 174"),
        Turn(
            "The verifier is right, I read the quotient wrong. Once more, in one step.",
            ("calculator", {"expression": "23*48/6"}),
        ),
        Turn("23 boxes of 48 are 1104 pencils; each of 6 classes gets 184. Answer: 184"),
    ),
    verifier=(
        Turn(call=("logic_check", {"claim": "23*48/6 == 174"})),
        Turn("REJECTED: 23*48/6 is 184, not 174."),
        Turn(call=("logic_check", {"claim": "23*48/6 == 184"})),
        Turn("VERIFIED: 23*48/6 is 184."),
    ),
)

_LIVE_TEXT = (
    "Three weeks are 21 days, so the tank loses 21 times 35 litres, which is 735 litres. "
    "That leaves 515 litres in it. Answer: 515"
)

SCENES = {
    REJECTED: _SENT_BACK,
    REFUSED: Scene(
        solver=(
            Turn(
                refused="This model's maximum context length is 32768 tokens. However, your "
                "messages resulted in 41207 tokens. Please reduce the length of the messages."
            ),
        )
    ),
    LIVE: Scene(
        solver=(
            Turn("First the loss.", ("calculator", {"expression": "21*35"})),
            Turn("Then what is left.", ("calculator", {"expression": "1250-21*35"})),
            Turn(_LIVE_TEXT, hold_at=22, cued=True),
        )
    ),
    PAUSED: Scene(
        solver=(
            Turn("The speed first.", ("calculator", {"expression": "414/3"})),
            Turn("At 138 km/h the train gets 690 km far in 5 hours. Answer: 690", hold_at=6),
        )
    ),
    CHINESE: Scene(
        solver=(
            Turn("先计算判别式。", ("calculator", {"expression": "(-5)**2-4*1*6"})),
            Turn("再求两个根。", ("calculator", {"expression": "(5+sqrt(1))/2"})),
            Turn("判别式为 1，方程有两个实根：x₁ = 2，x₂ = 3。Answer: x₁ = 2，x₂ = 3"),
        ),
        verifier=(
            Turn(call=("logic_check", {"claim": "2**2-5*2+6 == 0 and 3**2-5*3+6 == 0"})),
            Turn("VERIFIED: 两个根代入原方程均成立。"),
        ),
    ),
}


SCENES |= {question: Scene(solver=(Turn("One moment.", hold_at=1),)) for question in WAITING}


def worked_out(expression: str, answer: str) -> Scene:
    """A word problem that goes well: one calculation, one check."""
    return Scene(
        solver=(
            Turn(call=("calculator", {"expression": expression})),
            Turn(f"{expression} = {answer}. Answer: {answer}"),
        ),
        verifier=(
            Turn(call=("logic_check", {"claim": f"{expression} == {answer}"})),
            Turn(f"VERIFIED: {expression} is {answer}."),
        ),
    )
